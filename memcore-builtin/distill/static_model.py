"""The finished model in Python, as the crate computes it: for evaluation and for the parity fixture."""
import os
import struct

import numpy as np

from normal_form import WORD_START, runs

HERE = os.path.dirname(os.path.abspath(__file__))
UNKNOWN_COST = 1_000
MASK = (1 << 64) - 1


class StaticModel:
    def __init__(self):
        with open(os.path.join(HERE, "..", "data", "model.bin"), "rb") as file:
            data = file.read()
        assert data[:8] == b"memcstat"
        layout, self.dimensions, count, folds, lexicon, self.unknown_length = struct.unpack_from("<IIIIIf", data, 8)
        assert layout == 1
        at = 32
        self.folds = {chr(a): chr(b) for a, b in struct.iter_unpack("<II", data[at : at + 8 * folds])}
        at += 8 * folds + lexicon
        costs = np.frombuffer(data, np.uint8, count, at)
        at += count
        scales = (np.frombuffer(data, "<u2", count, at).astype("<u4") << 16).view("<f4")
        at += 2 * count
        packed = np.frombuffer(data, np.uint8, offset=at).reshape(count, self.dimensions // 2)
        codes = np.empty((count, self.dimensions), np.float32)
        codes[:, ::2], codes[:, 1::2] = packed & 15, packed >> 4
        self.rows = (codes - 8) * scales[:, None]
        with open(os.path.join(HERE, "pieces.tsv"), encoding="utf-8") as file:
            texts = [line.rstrip("\n").split("\t")[0] for line in file]
        self.pieces = {text: (row, int(costs[row])) for row, text in enumerate(texts)}
        self.longest = max(map(len, texts))
        self.cuts = {}

    def embed(self, texts):
        """One vector for each text (texts longer than a chunk are not split here)."""
        return np.array([self.vector(text) for text in texts], np.float32)

    def vector(self, text):
        total = np.zeros(self.dimensions, np.float64)
        for script, run in runs(text, self.folds):
            for token in self.cut(script, run):
                total += self.unknown(token) if isinstance(token, str) else self.rows[token]
        return total / max(np.linalg.norm(total), 1e-12)

    def cut(self, script, run):
        """Rows and unknown words of a run, by the cheapest way."""
        if script == "other":
            return [run]
        if (script, run) not in self.cuts:
            self.cuts[script, run] = self.viterbi(WORD_START + run if script == "latin" else run)
        return self.cuts[script, run]

    def viterbi(self, text):
        steps = [None] * (len(text) + 1)
        steps[0] = (0, 0, None)
        for start in range(len(text)):
            for end in range(start + 1, min(len(text), start + self.longest) + 1):
                row, cost = self.pieces.get(text[start:end], (None, None))
                if row is not None and (steps[end] is None or steps[start][0] + cost < steps[end][0]):
                    steps[end] = (steps[start][0] + cost, start, row)
            if steps[start + 1] is None or steps[start][0] + UNKNOWN_COST < steps[start + 1][0]:
                steps[start + 1] = (steps[start][0] + UNKNOWN_COST, start, None)
        tokens, end = [], len(text)
        while end > 0:
            _, start, row = steps[end]
            if row is not None:
                tokens.append(row)
            elif text[start:end] != WORD_START:
                tokens.append(text[start:end])
            end = start
        return tokens[::-1]

    def unknown(self, word):
        """FNV-1a and SplitMix64 signs, as in `src/unknown.rs`."""
        state = 0xCBF29CE484222325
        for byte in word.encode():
            state = (state ^ byte) * 0x100000001B3 & MASK
        signs = []
        while len(signs) < self.dimensions:
            state = (state + 0x9E3779B97F4A7C15) & MASK
            mixed = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & MASK
            mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & MASK
            mixed ^= mixed >> 31
            signs += [1.0 if mixed >> bit & 1 else -1.0 for bit in range(64)]
        return np.array(signs[: self.dimensions]) * (self.unknown_length / self.dimensions**0.5)

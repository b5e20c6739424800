"""The normal form of a text and its runs, as `src/runs.rs` has them."""
import unicodedata

WORD_START = "\u2581"

# Latin letters that no decomposition reduces to ASCII.
LATIN_FOLDS = {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i", "ß": "s", "æ": "a", "œ": "o", "þ": "t", "ħ": "h"}


def read_folds(path):
    """Traditional characters and the simplified ones that they are read as, from OpenCC, with the Latin ones."""
    folds = dict(LATIN_FOLDS)
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("#") or not line.strip():
                continue
            traditional, simplified = line.rstrip("\n").split("\t")
            simplified = simplified.split(" ")[0]
            if len(traditional) == len(simplified) == 1 and traditional != simplified:
                folds[traditional] = simplified
    return folds


def normal_form(text, folds):
    text = unicodedata.normalize("NFKD", text)
    text = "".join(ch for ch in text if not "\u0300" <= ch <= "\u036f")
    text = unicodedata.normalize("NFC", text).lower()
    return "".join(folds.get(ch, ch) for ch in text)


def script(ch):
    if "a" <= ch <= "z":
        return "latin"
    if "0" <= ch <= "9":
        return "digits"
    if "\u3400" <= ch <= "\u9fff" or "\U00020000" <= ch <= "\U0003ffff" or ch in "\u3005\u3007":
        return "han"
    if "\u3041" <= ch <= "\u30fe":
        return "kana"
    # Rust's is_alphanumeric also takes vowel signs of Indic scripts; they only occur in words that are hashed whole.
    return "other" if ch.isalnum() else None


def runs(text, folds):
    """Pairs of script and text."""
    normal = normal_form(text, folds)
    found, last = [], None
    for ch in normal:
        kind = script(ch)
        if kind is not None:
            if kind == last:
                found[-1][1] += ch
            else:
                found.append([kind, ch])
        last = kind
    if not found:
        found = [["other", word] for word in normal.split()]
    return [tuple(run) for run in found]

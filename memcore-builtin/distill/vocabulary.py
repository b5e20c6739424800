"""Which pieces the table holds, and how probable each is in its language.

Three sources: the teacher's own vocabulary (single characters, word pieces, numbers, and the words that it has whole),
the English words of symspellpy with their counts, the Chinese words of jieba with theirs.
"""
import dataclasses
import json
import math

import numpy as np

from normal_form import WORD_START, normal_form, runs

ENGLISH_WORDS = 27_000
CHINESE_WORDS = 32_000
# A word piece of another language is only good for spelling names: short ones do.
LONGEST_FOREIGN_PIECE = 3
LONGEST_CHINESE_WORD = 5


@dataclasses.dataclass
class Piece:
    text: str
    script: str
    log_probability: float
    known: bool  # a word of one of the two lists
    teacher_id: int | None  # None: the teacher has to spell it

    def spelled(self):
        return self.text.removeprefix(WORD_START)


def read_teacher(path, folds):
    """The teacher's pieces of the scripts that we keep: (script, text) -> [(id, score, surface, starts a word)]."""
    with open(path, encoding="utf-8") as file:
        vocabulary = json.load(file)["model"]["vocab"]
    pieces = {}
    for number, (piece, score) in enumerate(vocabulary[:-1]):
        surface = piece.lstrip(WORD_START)
        if number < 4 or not surface:
            continue
        found = runs(surface, folds)
        if len(found) != 1 or found[0][1] != normal_form(surface, folds):
            continue
        script, text = found[0]
        if script == "other" or (script == "kana" and len(text) > 1):
            continue
        starts = piece.startswith(WORD_START)
        key = (script, WORD_START + text if starts and script == "latin" else text)
        pieces.setdefault(key, []).append((number, score, surface, starts))
    return pieces


def read_english(path):
    counts = {}
    with open(path, encoding="utf-8-sig") as file:
        for line in file:
            word, count = line.split()
            if word.isascii() and word.isalpha():
                counts[word] = int(count)
    return counts


def read_chinese(path, folds):
    counts = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            word, count = line.split(" ")[:2]
            word = normal_form(word, folds)
            found = runs(word, folds)
            if len(word) <= LONGEST_CHINESE_WORD and found == [("han", word)]:
                counts[word] = counts.get(word, 0) + int(count)
    return counts


def candidates(teacher, english, chinese):
    """Every piece there could be, by text."""
    english_total, chinese_total = sum(english.values()), sum(chinese.values())
    # The teacher's scores are log-probabilities over a hundred languages: shift them to those within one.
    shift_english = np.median(
        [
            math.log(english[text[1:]] / english_total) - max(score for _, score, _, _ in forms)
            for (script, text), forms in teacher.items()
            if script == "latin" and text[0] == WORD_START and len(text) > 4 and english.get(text[1:], 0) > 5e6
        ]
    )
    shift_chinese = np.median(
        [
            math.log(chinese[text] / chinese_total) - max(score for _, score, _, _ in forms)
            for (script, text), forms in teacher.items()
            if script == "han" and len(text) > 1 and chinese.get(text, 0) > 200
        ]
    )
    pieces = {}
    for (script, text), forms in teacher.items():
        score = float(np.logaddexp.reduce([form[1] for form in forms]))
        if script == "latin":
            # The lower-case form where there is one, else the commonest.
            forms = sorted(forms, key=lambda form: (form[2] != form[2].lower(), -form[1]))
            word = text.removeprefix(WORD_START)
            known = word in english
            whole = known and text != word
            probability = math.log(english[word] / english_total) if whole else score + shift_english
        else:
            # The simplified form where there is one, without a word-start mark.
            forms = sorted(forms, key=lambda form: (form[2] != text, form[3], -form[1]))
            known = text in chinese
            if script == "han" and len(text) > 1 and not known:
                continue  # a fragment of a phrase, such as a particle with the word before it
            shift = shift_english if script == "digits" else shift_chinese
            probability = math.log(chinese[text] / chinese_total) if known else score + shift
        pieces[text] = Piece(text, script, probability, known, forms[0][0])
    for word, count in english.items():
        text = WORD_START + word
        if text not in pieces:
            pieces[text] = Piece(text, "latin", math.log(count / english_total), True, None)
    for word, count in chinese.items():
        if word not in pieces:
            pieces[word] = Piece(word, "han", math.log(count / chinese_total), True, None)
    return pieces


def select(pieces):
    """The pieces of the table, in byte order."""
    by_probability = sorted(pieces.values(), key=lambda piece: (-piece.log_probability, piece.text))
    english = [piece for piece in by_probability if piece.script == "latin" and piece.known][:ENGLISH_WORDS]
    chinese = [piece for piece in by_probability if piece.script == "han"][:CHINESE_WORDS]
    rest = [
        piece
        for piece in by_probability
        if piece.script in ("digits", "kana")
        or (piece.script == "latin" and not piece.known and len(piece.spelled()) <= LONGEST_FOREIGN_PIECE)
        or (piece.script == "han" and len(piece.text) == 1 and piece.teacher_id is not None)
    ]
    chosen = {piece.text: piece for piece in english + chinese + rest}
    missing = [
        text
        for letter in "abcdefghijklmnopqrstuvwxyz0123456789"
        for text in ([letter] if letter.isdigit() else [letter, WORD_START + letter])
        if text not in chosen
    ]
    for text in missing:
        chosen[text] = pieces[text]
    return sorted(chosen.values(), key=lambda piece: piece.text.encode())

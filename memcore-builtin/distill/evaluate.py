"""Dense retrieval with the built-in model alone, on data sets that are given as paths and are not part of this project.

    python evaluate.py [--locomo locomo10.json] [--zh-pairs FOLDER] [--xquad FOLDER]

LoCoMo: one memory per turn ("speaker: text [shares photo: caption]"), an index per conversation; recall@10 is the mean,
over the questions of categories 1 to 4, of the fraction of evidence turns among the first ten. zh pairs: a paraphrased
question finds its memory among all memories and distractors. XQuAD: a question finds its paragraph.
"""
import argparse
import json
import os
import re

import numpy as np

from static_model import StaticModel


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--locomo", help="a file in the format of locomo10.json")
    parser.add_argument("--zh-pairs", help="a folder with pairs.jsonl and distractors.jsonl")
    parser.add_argument("--xquad", help="a folder with xquad.en.json and xquad.zh.json")
    arguments = parser.parse_args()
    model = StaticModel()
    print(f"{len(model.rows)} pieces, {model.dimensions} dimensions")
    if arguments.locomo:
        locomo(model, arguments.locomo)
    if arguments.zh_pairs:
        zh_pairs(model, arguments.zh_pairs)
    if arguments.xquad:
        xquad(model, arguments.xquad)


def locomo(model, path):
    with open(path, encoding="utf-8") as file:
        conversations = json.load(file)
    recall, reciprocal, adversarial = [], [], []
    for conversation in conversations:
        ids, texts = turns(conversation["conversation"])
        places = {turn: place for place, turn in enumerate(ids)}
        index = model.embed(texts)
        for question in conversation["qa"]:
            evidence = sorted({places[turn] for turn in evidence_turns(question) if turn in places})
            if not evidence:
                continue
            scores = index @ model.embed([question["question"]])[0]
            ranks = np.empty(len(scores), int)
            ranks[np.argsort(-scores, kind="stable")] = np.arange(len(scores))
            found = (ranks[evidence] < 10).mean()
            if question["category"] == 5:
                adversarial.append(found)
            else:
                recall.append(found)
                reciprocal.append(1 / (1 + ranks[evidence].min()))
    print(f"LoCoMo, {len(recall)} questions: R@10 {np.mean(recall):.3f}, MRR {np.mean(reciprocal):.3f}")
    print(f"LoCoMo adversarial, {len(adversarial)} questions: R@10 {np.mean(adversarial):.3f}")


def turns(conversation):
    ids, texts = [], []
    for name, session in conversation.items():
        if not re.fullmatch(r"session_\d+", name):
            continue
        for turn in session:
            text = f"{turn['speaker']}: {turn['text']}"
            if turn.get("blip_caption"):
                text += f" [shares photo: {turn['blip_caption']}]"
            ids.append(turn["dia_id"])
            texts.append(text)
    return ids, texts


def evidence_turns(question):
    for part in re.split(r"[;\s]+", ";".join(question.get("evidence", []))):
        match = re.fullmatch(r"D0*(\d+):0*(\d+)", part)
        if match:
            yield f"D{match[1]}:{match[2]}"


def zh_pairs(model, folder):
    pairs = read_lines(os.path.join(folder, "pairs.jsonl"))
    memories = [pair["memory"] for pair in pairs]
    memories += [line["memory"] for line in read_lines(os.path.join(folder, "distractors.jsonl"))]
    index = model.embed(memories)
    for name, field in (("paraphrase", "query"), ("shared words", "query_lex"), ("English question", "query_en")):
        report(f"zh pairs, {name}", model.embed([pair[field] for pair in pairs]) @ index.T, np.arange(len(pairs)))


def xquad(model, folder):
    indexes, questions = {}, {}
    for language in ("en", "zh"):
        paragraphs, asked, answers = [], [], []
        with open(os.path.join(folder, f"xquad.{language}.json"), encoding="utf-8") as file:
            for article in json.load(file)["data"]:
                for paragraph in article["paragraphs"]:
                    asked += [qa["question"] for qa in paragraph["qas"]]
                    answers += [len(paragraphs)] * len(paragraph["qas"])
                    paragraphs.append(paragraph["context"])
        indexes[language] = model.embed(paragraphs)
        questions[language] = model.embed(asked)
        report(f"XQuAD {language}", questions[language] @ indexes[language].T, np.array(answers))
    report("XQuAD zh question, en paragraph", questions["zh"] @ indexes["en"].T, np.array(answers))


def read_lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def report(name, scores, answers):
    ranks = (scores > scores[np.arange(len(answers)), answers][:, None]).sum(1)
    one, five, reciprocal = (ranks < 1).mean(), (ranks < 5).mean(), (1 / (1 + ranks)).mean()
    print(f"{name}, {len(answers)} questions: R@1 {one:.3f}, R@5 {five:.3f}, MRR {reciprocal:.3f}")


if __name__ == "__main__":
    main()

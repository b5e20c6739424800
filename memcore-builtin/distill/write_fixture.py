"""Writes tests/fixtures/parity.json: texts and the vectors that `static_model.py` gives them."""
import json
import os

from static_model import HERE, StaticModel

TEXTS = [
    "My brother works night shifts at the harbour.",
    "Which days is the gym closed?",
    "The deploy script fails with E0382 since version 2.5.1.",
    "I don't drink coffee after 3 pm",
    "Zoë moved from São Paulo to Kraków in 2019",
    "unbelievablyfluffernutterish",
    "PostgreSQL, Redis & RabbitMQ",
    "a",
    "42",
    "我对青霉素过敏，看病时要提醒医生",
    "她每个周末都去公园跑步",
    "會議改到星期四下午兩點半",
    "项目代号是北极星，预算三十万",
    "把空调调到26度，谢谢！",
    "我用Rust写后端，前端是TypeScript",
    "ＡＢＣ全角字符　１２３",
    "龘靐齉",
    "東京タワーに行きました",
    "Привет, мир",
    "🎉🎉",
    "The the the of and to",
    "的了是",
]


def main():
    model = StaticModel()
    cases = [
        {"text": text, "vector": [round(float(value), 6) for value in vector]}
        for text, vector in zip(TEXTS, model.embed(TEXTS))
    ]
    with open(os.path.join(HERE, "..", "tests", "fixtures", "parity.json"), "w", encoding="utf-8") as file:
        file.write("[\n" + ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases) + "\n]\n")


if __name__ == "__main__":
    main()

"""multilingual-e5-small in PyTorch: the mean of the last layer, for one piece at a time."""
import json
import os
import time

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import load_file
from tokenizers import Tokenizer

TOKENS_PER_BATCH = 2_048


class Teacher:
    def __init__(self, folder):
        self.weights = load_file(os.path.join(folder, "model.safetensors"))
        with open(os.path.join(folder, "config.json")) as file:
            config = json.load(file)
        self.layers, self.hidden = config["num_hidden_layers"], config["hidden_size"]
        self.heads, self.epsilon = config["num_attention_heads"], config["layer_norm_eps"]
        self.tokenizer = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
        self.bos, self.eos = self.tokenizer.token_to_id("<s>"), self.tokenizer.token_to_id("</s>")
        self.mark = self.tokenizer.token_to_id("\u2581")

    def ids_of_piece(self, number):
        return [self.bos, number, self.eos]

    def ids_of_word(self, word):
        """The way of writing `word` that takes fewer pieces, lower case or capitalised (names)."""
        lower, capital = (self.tokenizer.encode(form).ids for form in (word, word.capitalize()))
        ids = capital if len(capital) < len(lower) else lower
        # A word-start mark of its own, as Chinese words get, says nothing.
        return [number for at, number in enumerate(ids) if not (at == 1 and number == self.mark and len(ids) > 3)]

    def encode(self, sequences):
        """The mean vectors of token sequences. Only equal lengths share a batch: nothing is padded."""
        order = sorted(range(len(sequences)), key=lambda at: len(sequences[at]))
        vectors = np.zeros((len(sequences), self.hidden), np.float32)
        start, begin, reported = 0, time.time(), time.time()
        while start < len(order):
            length = len(sequences[order[start]])
            end = start
            while end < len(order) and len(sequences[order[end]]) == length and (end - start) * length < TOKENS_PER_BATCH:
                end += 1
            batch = torch.tensor([sequences[at] for at in order[start:end]])
            vectors[order[start:end]] = self.forward(batch).numpy()
            start = end
            if time.time() - reported > 30:
                reported = time.time()
                print(f"teacher: {start} of {len(order)} pieces, {reported - begin:.0f} s", flush=True)
        return vectors

    @torch.inference_mode()
    def forward(self, ids):
        count, length = ids.shape
        width = self.hidden // self.heads
        hidden = (
            self.weights["embeddings.word_embeddings.weight"][ids]
            + self.weights["embeddings.position_embeddings.weight"][:length]
            + self.weights["embeddings.token_type_embeddings.weight"][0]
        )
        hidden = self.norm("embeddings.LayerNorm", hidden)
        for layer in range(self.layers):
            prefix = f"encoder.layer.{layer}."
            query, key, value = (
                self.linear(f"{prefix}attention.self.{name}", hidden)
                .view(count, length, self.heads, width)
                .transpose(1, 2)
                for name in ("query", "key", "value")
            )
            mixed = F.scaled_dot_product_attention(query, key, value).transpose(1, 2).reshape(count, length, -1)
            mixed = self.linear(prefix + "attention.output.dense", mixed)
            hidden = self.norm(prefix + "attention.output.LayerNorm", hidden + mixed)
            inner = F.gelu(self.linear(prefix + "intermediate.dense", hidden))
            hidden = self.norm(prefix + "output.LayerNorm", hidden + self.linear(prefix + "output.dense", inner))
        return hidden.mean(1)

    def linear(self, name, values):
        return F.linear(values, self.weights[name + ".weight"], self.weights[name + ".bias"])

    def norm(self, name, values):
        weight, bias = self.weights[name + ".weight"], self.weights[name + ".bias"]
        return F.layer_norm(values, (self.hidden,), weight, bias, self.epsilon)

"""TRL's own trainer over the environment. Runs with ``npm run test:python:heavy``, in an environment of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import backlot
from backlot import Server
from backlot.harnesses.trl import BacklotEnv, environment

pytestmark = pytest.mark.heavy
#: They need torch, which is larger than all others together.
pytest.importorskip("trl", reason="requirements-trl.txt is not installed")

PROMPT = "Solve the task.\n"
SOLUTION = (
    ("type_text", {"element": 'Edit "Username"', "text": "alice"}),
    ("type_text", {"element": 'Edit "Password"', "text": "x"}),
    ("press", {"keys": "enter"}),
)
TOOLS = ("click", "finish", "press", "screenshot", "scroll", "type_text")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with backlot.launch(cwd=str(tmp_path)) as launched:
        yield launched


def test_a_trainer_calls_the_tools_and_gets_the_reward_of_the_oracles(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRL_EXPERIMENTAL_SILENCE", "1")
    import torch
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer

    factory = environment("settings", server=server)
    env = factory()
    dialogue = solved(env)
    assert env.get_reward() == 1
    tools = [getattr(env, name) for name in TOOLS]
    tokenizer = tokenizer_of(dialogue, tools)
    torch.manual_seed(1)
    model = pretrained(tokenizer, tokenizer.apply_chat_template(dialogue, tools=tools)["input_ids"])
    rows = [{"prompt": [{"role": "user", "content": PROMPT}], "scenario": "login", "seed": 1}] * 4
    trainer = GRPOTrainer(
        model=model,
        train_dataset=Dataset.from_list(rows),
        environment_factory=factory,
        processing_class=tokenizer,
        args=GRPOConfig(
            output_dir=str(tmp_path),
            per_device_train_batch_size=4,
            num_generations=4,
            max_completion_length=1000,
            max_tool_calling_iterations=5,
            max_steps=3,
            learning_rate=1e-4,
            temperature=0.7,
            logging_steps=1,
            report_to=[],
            save_strategy="no",
            use_cpu=True,
            bf16=False,
        ),
    )
    trainer.train()
    logged = [entry for entry in trainer.state.log_history if "reward" in entry]
    assert len(logged) == 3
    assert all(entry["tools/call_frequency"] > 0 for entry in logged)
    assert logged[-1]["reward"] > 0
    # One desktop for each of four concurrent rollouts, used again in each step, and one for the dialogue above.
    assert len(server.sessions()) == 5


def solved(env: BacklotEnv) -> list[dict[str, Any]]:
    """The dialogue of an agent that solves ``login``."""
    dialogue: list[dict[str, Any]] = [
        {"role": "user", "content": f"{PROMPT}{env.reset(scenario='login', seed=1)}"},
    ]
    for name, args in SOLUTION:
        call = {"type": "function", "function": {"name": name, "arguments": args}}
        dialogue.append({"role": "assistant", "content": "", "tool_calls": [call]})
        dialogue.append({"role": "tool", "name": name, "content": getattr(env, name)(**args)})
    return dialogue


def tokenizer_of(dialogue: list[dict[str, Any]], tools: list[Any]) -> Any:
    """A tokenizer made for the words of a dialogue, since nothing is downloaded."""
    import trl
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    template = (Path(trl.__file__).parent / "chat_templates" / "qwen3_instruct_2507.jinja").read_text()
    raw = Tokenizer(models.BPE())
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    raw.decoder = decoders.ByteLevel()
    special = {"eos_token": "<|im_end|>", "pad_token": "<|endoftext|>", "additional_special_tokens": ["<|im_start|>"]}

    def wrapped() -> Any:
        return PreTrainedTokenizerFast(tokenizer_object=raw, chat_template=template, **special)

    text = wrapped().apply_chat_template(dialogue, tools=tools, tokenize=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    marks = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    raw.train_from_iterator(
        [text],
        trainers.BpeTrainer(vocab_size=1200, special_tokens=marks, initial_alphabet=alphabet, show_progress=False),
    )
    return wrapped()


def pretrained(tokenizer: Any, tokens: list[int]) -> Any:
    """A small model that knows one dialogue by heart."""
    import torch
    from transformers import Qwen3Config, Qwen3ForCausalLM

    model = Qwen3ForCausalLM(
        Qwen3Config(
            vocab_size=len(tokenizer),
            hidden_size=64,
            intermediate_size=128,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
            head_dim=16,
            max_position_embeddings=4096,
            tie_word_embeddings=True,
            eos_token_id=tokenizer.eos_token_id,
            pad_token_id=tokenizer.pad_token_id,
        )
    )
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    batch = torch.tensor([tokens])
    for _ in range(300):
        model(input_ids=batch, labels=batch).loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return model.eval()

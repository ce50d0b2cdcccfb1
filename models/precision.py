"""Training on a processor in half the time: bfloat16 in the network, float32 in the loss.

Processors with bfloat16 instructions multiply them twice as fast, and channels-last pictures save
them turning their weights about. The loss stays in float32: with eight bits of mantissa a box at
the far side of the picture would be off by two pixels.
"""

from typing import Any

import torch


def has_bfloat16() -> bool:
    """Whether this processor has instructions for bfloat16."""
    able = torch.cpu.get_capabilities()
    return bool(able.get("avx512_bf16") or able.get("amx_bf16"))


def train_in_bfloat16(trainer: Any) -> None:
    """Ultralytics' ``on_train_start``: let its model predict in bfloat16 on the processor."""
    if trainer.device.type != "cpu" or not has_bfloat16():
        return
    model = trainer.model.to(memory_format=torch.channels_last)
    exact = model.predict

    def predict(pictures: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
        with torch.autocast("cpu", torch.bfloat16):
            output = exact(pictures.contiguous(memory_format=torch.channels_last), *args, **kwargs)
        return _in_float32(output)

    model.predict = predict


def _in_float32(output: Any) -> Any:
    """The same nest of tensors in float32."""
    if isinstance(output, torch.Tensor):
        return output.float()
    if isinstance(output, dict):
        return {key: _in_float32(value) for key, value in output.items()}
    if isinstance(output, list | tuple):
        return type(output)(_in_float32(value) for value in output)
    return output

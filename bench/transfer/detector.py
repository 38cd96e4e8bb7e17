"""The detector of docs/transfer.md: a small convolutional network that finds controls in pictures of screens.

Needs ``pip install torch numpy pillow``. ``train`` reads files of boxes that ``bench/transfer`` writes and writes a network;
``detect`` writes what a network finds, a line of JSON per picture.
"""

import argparse
import json
import random
import time
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from torch import nn
from torch.nn import functional

CLASSES = 5
STRIDE = 8
CROP = (512, 384)
BATCH = 4
MIN_SCORE = 0.02
MAX_DETECTIONS = 300
MAX_OVERLAP = 0.5
MIN_SHARE = 0.6


def conv(inputs, outputs, stride=1, size=3, dilation=1):
    padding = dilation * (size // 2)
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, size, stride, padding, dilation, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class Block(nn.Module):
    def __init__(self, channels, dilation=1):
        super().__init__()
        self.body = nn.Sequential(conv(channels, channels), conv(channels, channels, dilation=dilation))

    def forward(self, x):
        return x + self.body(x)


class Detector(nn.Module):
    """Strides of 2 to 32, merged at 8. For each cell: a score for each class, and distances to the edges of the box."""

    def __init__(self):
        super().__init__()
        self.to8 = nn.Sequential(conv(3, 16, 2), conv(16, 32, 2), conv(32, 48, 2), Block(48))
        self.to16 = nn.Sequential(conv(48, 80, 2), Block(80))
        self.to32 = nn.Sequential(conv(80, 128, 2), Block(128, 2))
        self.from32 = conv(128, 80, size=1)
        self.from16 = conv(80, 48, size=1)
        self.merge = conv(48, 48)
        self.head = conv(48, 48)
        self.scores = nn.Conv2d(48, CLASSES, 1)
        self.edges = nn.Conv2d(48, 4, 1)
        nn.init.constant_(self.scores.bias, -4.6)
        nn.init.constant_(self.edges.bias, 1.0)

    def forward(self, x):
        at8 = self.to8(x)
        at16 = self.to16(at8)
        at32 = self.to32(at16)
        at16 = at16 + functional.interpolate(self.from32(at32), size=at16.shape[2:])
        at8 = at8 + functional.interpolate(self.from16(at16), size=at8.shape[2:])
        shared = self.head(self.merge(at8))
        return self.scores(shared), functional.softplus(self.edges(shared)) * STRIDE


def read_boxes(files):
    rows = []
    for file in files:
        folder = Path(file).parent
        for line in Path(file).read_text().splitlines():
            row = json.loads(line)
            row["path"] = folder / row["image"]
            rows.append(row)
    return rows


def pixels_of(image):
    return torch.from_numpy(np.asarray(image, np.uint8).copy()).permute(2, 0, 1).float() / 255 - 0.5


def targets_of(boxes, ignored, size):
    """The class of each cell (-1 is none, -2 does not count), and the edges of its box."""
    columns, rows = size[0] // STRIDE, size[1] // STRIDE
    classes = torch.full((rows, columns), -1, dtype=torch.long)
    edges = torch.zeros(rows, columns, 4)

    def cells(left, top, right, bottom):
        def span(low, high, count):
            quarter = (high - low) / 4
            first = int(np.ceil((low + quarter) / STRIDE - 0.5))
            last = int(np.floor((high - quarter) / STRIDE - 0.5))
            if last < first:
                first = last = int((low + high) / 2 / STRIDE)
            return slice(max(0, first), min(count - 1, last) + 1)

        return span(top, bottom, rows), span(left, right, columns)

    for left, top, right, bottom in ignored:
        classes[cells(left, top, right, bottom)] = -2
    for index, left, top, right, bottom in sorted(boxes, key=lambda box: -(box[3] - box[1]) * (box[4] - box[2])):
        place = cells(left, top, right, bottom)
        classes[place] = index
        edges[place] = torch.tensor([left, top, right, bottom], dtype=torch.float)
    return classes, edges


def sample_of(row, image, draw):
    """A random crop of a picture, scaled, with its targets."""
    scale = draw.uniform(0.8, 1.25)
    width, height = CROP[0] / scale, CROP[1] / scale
    if row["boxes"] and draw.random() < 0.5:
        _, x, y, w, h = draw.choice(row["boxes"])
        left = x + w * draw.random() - width * draw.random()
        top = y + h * draw.random() - height * draw.random()
    else:
        left = draw.uniform(0, max(0, image.width - width))
        top = draw.uniform(0, max(0, image.height - height))
    left = min(max(0, left), max(0, image.width - width))
    top = min(max(0, top), max(0, image.height - height))
    crop = image.resize(CROP, Image.BILINEAR, (left, top, left + width, top + height))

    def inside(x, y, w, h):
        box = [(x - left) * scale, (y - top) * scale, (x + w - left) * scale, (y + h - top) * scale]
        cut = [max(0, box[0]), max(0, box[1]), min(CROP[0], box[2]), min(CROP[1], box[3])]
        if cut[2] - cut[0] < 2 or cut[3] - cut[1] < 2:
            return None, 0
        return cut, (cut[2] - cut[0]) * (cut[3] - cut[1]) / ((box[2] - box[0]) * (box[3] - box[1]))

    boxes, ignored = [], []
    for index, *corner in row["boxes"]:
        cut, share = inside(*corner)
        if cut:
            if share >= MIN_SHARE:
                boxes.append([index, *cut])
            else:
                ignored.append(cut)
    for corner in row["ignored"]:
        cut, _ = inside(*corner)
        if cut:
            ignored.append(cut)
    return pixels_of(crop), *targets_of(boxes, ignored, CROP)


def centres(rows, columns):
    y, x = torch.meshgrid(torch.arange(rows), torch.arange(columns), indexing="ij")
    return (x.float() + 0.5) * STRIDE, (y.float() + 0.5) * STRIDE


def loss_of(scores, distances, classes, edges):
    positive = classes >= 0
    count = positive.sum().clamp(min=1)
    wanted = functional.one_hot(classes.clamp(min=0), CLASSES).float() * positive[..., None]
    logits = scores.permute(0, 2, 3, 1)
    chance = torch.sigmoid(logits)
    right = torch.where(wanted > 0, chance, 1 - chance)
    weight = torch.where(wanted > 0, 0.25, 0.75) * (1 - right) ** 2
    focal = weight * functional.binary_cross_entropy_with_logits(logits, wanted, reduction="none")
    focal = (focal.sum(-1) * (classes != -2)).sum() / count
    if not positive.any():
        return focal
    x, y = centres(*classes.shape[1:])
    left, top, right, bottom = distances.permute(0, 2, 3, 1)[positive].unbind(-1)
    at_x = x.expand_as(positive)[positive]
    at_y = y.expand_as(positive)[positive]
    x1, y1, x2, y2 = at_x - left, at_y - top, at_x + right, at_y + bottom
    a1, b1, a2, b2 = edges[positive].unbind(-1)
    both = (torch.minimum(x2, a2) - torch.maximum(x1, a1)).clamp(min=0) * (
        torch.minimum(y2, b2) - torch.maximum(y1, b1)
    ).clamp(min=0)
    union = (x2 - x1) * (y2 - y1) + (a2 - a1) * (b2 - b1) - both
    hull = (torch.maximum(x2, a2) - torch.minimum(x1, a1)) * (torch.maximum(y2, b2) - torch.minimum(y1, b1))
    overlap = both / union.clamp(min=1e-6)
    return focal + (1 - overlap + (hull - union) / hull.clamp(min=1e-6)).mean()


def train(args):
    torch.manual_seed(args.seed)
    draw = random.Random(args.seed)
    rows = [row for row in read_boxes(args.boxes) if row["group"] in args.group]
    images = [Image.open(row["path"]).convert("RGB") for row in rows]
    model = Detector().to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, args.rate, args.steps, pct_start=0.1)
    parameters = sum(parameter.numel() for parameter in model.parameters())
    print(f"{len(rows)} pictures, {sum(len(row['boxes']) for row in rows)} boxes, {parameters} parameters", flush=True)
    started = time.monotonic()
    recent = []
    for step in range(1, args.steps + 1):
        batch = []
        for _ in range(BATCH):
            index = draw.randrange(len(rows))
            batch.append(sample_of(rows[index], images[index], draw))
        pixels, classes, edges = (torch.stack(part) for part in zip(*batch))
        loss = loss_of(*model(pixels.to(memory_format=torch.channels_last)), classes, edges)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        schedule.step()
        recent.append(loss.item())
        if step % 50 == 0 or step == args.steps:
            print(f"step {step}: loss {np.mean(recent):.3f}, {time.monotonic() - started:.0f} s", flush=True)
            recent = []
    facts = {
        "name": Path(args.out).stem,
        "pictures": len(rows),
        "boxes": sum(len(row["boxes"]) for row in rows),
        "steps": args.steps,
        "seed": args.seed,
        "parameters": parameters,
        "seconds": round(time.monotonic() - started),
    }
    Path(args.out).parent.mkdir(parents=True, exist_ok=True)
    torch.save({"model": model.state_dict(), "facts": facts}, args.out)
    print(json.dumps(facts), flush=True)


def suppress(boxes, scores, limit):
    """The boxes that overlap no better one, the best first."""
    order = scores.argsort(descending=True).tolist()
    kept = []
    areas = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    gone = torch.zeros(len(boxes), dtype=torch.bool)
    for index in order:
        if gone[index]:
            continue
        kept.append(index)
        if len(kept) == limit:
            break
        box = boxes[index]
        wide = (torch.minimum(boxes[:, 2], box[2]) - torch.maximum(boxes[:, 0], box[0])).clamp(min=0)
        high = (torch.minimum(boxes[:, 3], box[3]) - torch.maximum(boxes[:, 1], box[1])).clamp(min=0)
        both = wide * high
        gone |= both / (areas + areas[index] - both).clamp(min=1e-6) > MAX_OVERLAP
    return kept


def find(model, image):
    width, height = -(-image.width // 32) * 32, -(-image.height // 32) * 32
    padded = Image.new("RGB", (width, height))
    padded.paste(image)
    with torch.no_grad():
        scores, distances = model(pixels_of(padded)[None].to(memory_format=torch.channels_last))
    chance = torch.sigmoid(scores[0])
    x, y = centres(*chance.shape[1:])
    left, top, right, bottom = distances[0]
    boxes = torch.stack([x - left, y - top, x + right, y + bottom], -1).reshape(-1, 4)
    boxes[:, 0::2] = boxes[:, 0::2].clamp(0, image.width)
    boxes[:, 1::2] = boxes[:, 1::2].clamp(0, image.height)
    found = []
    for index in range(CLASSES):
        flat = chance[index].reshape(-1)
        best = flat.topk(min(1000, len(flat)))
        chosen = best.indices[best.values >= MIN_SCORE]
        for place in suppress(boxes[chosen], flat[chosen], MAX_DETECTIONS):
            x1, y1, x2, y2 = boxes[chosen[place]].tolist()
            found.append([index, round(flat[chosen[place]].item(), 4), *(round(v, 1) for v in (x1, y1, x2 - x1, y2 - y1))])
    return sorted(found, key=lambda box: -box[1])[:MAX_DETECTIONS]


def detect(args):
    model = Detector()
    model.load_state_dict(torch.load(args.model)["model"])
    model = model.to(memory_format=torch.channels_last).eval()
    with Path(args.out).open("a") as out:
        for row in read_boxes(args.boxes):
            if row["group"] in args.group:
                found = find(model, Image.open(row["path"]).convert("RGB"))
                out.write(json.dumps({"image": row["image"], "found": found}) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=2)
    commands = parser.add_subparsers(required=True)
    for name, run in (("train", train), ("detect", detect)):
        command = commands.add_parser(name)
        command.set_defaults(run=run)
        command.add_argument("--boxes", nargs="+", required=True, help="files of boxes, beside their pictures")
        command.add_argument("--group", nargs="+", required=True, help="folds or splits that are read")
        command.add_argument("--out", required=True)
        if name == "train":
            command.add_argument("--steps", type=int, required=True)
            command.add_argument("--seed", type=int, default=1)
            command.add_argument("--rate", type=float, default=2e-3)
        else:
            command.add_argument("--model", required=True)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    args.run(args)


if __name__ == "__main__":
    main()

"""Train a small convolutional network on scanned digits.

The data are the 1797 handwritten digits of 8x8 pixels that scikit-learn carries, so nothing is downloaded.
The script prints the accuracy on 360 digits that training never saw, and writes a picture with the loss curve
and some classified digits.

    lamella run examples/digits.py            # on lamella
    python examples/digits.py                 # on PyTorch

The same seed gives the same numbers in every run.
"""

import argparse
import time

import torch
import torch.nn.functional as F
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class DigitNet(nn.Module):
    """Two convolutions with batch normalisation, one pooling step after each, and a linear classifier."""

    def __init__(self, classes=10, dropout=0.2):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, kernel_size=3, padding=1)
        self.norm1 = nn.BatchNorm2d(16)
        self.conv2 = nn.Conv2d(16, 32, kernel_size=3, padding=1)
        self.norm2 = nn.BatchNorm2d(32)
        self.pool = nn.MaxPool2d(2)
        self.drop = nn.Dropout(dropout)
        self.head = nn.Linear(32 * 2 * 2, classes)

    def forward(self, x):
        x = self.pool(F.relu(self.norm1(self.conv1(x))))
        x = self.pool(F.relu(self.norm2(self.conv2(x))))
        return self.head(self.drop(x.flatten(1)))


def load(generator, held_out=360):
    """Return the training and the test set: images scaled to [-1, 1], shape (N, 1, 8, 8), and their labels."""
    digits = load_digits()
    images = torch.from_numpy(digits.images).float().unsqueeze(1) / 8 - 1
    labels = torch.from_numpy(digits.target).long()
    order = torch.randperm(len(labels), generator=generator)
    images, labels = images[order], labels[order]
    return (
        TensorDataset(images[held_out:], labels[held_out:]),
        TensorDataset(images[:held_out], labels[:held_out]),
    )


def train(model, loader, epochs, lr):
    """Train ``model`` in place and return the loss of every step."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=1e-2)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=lr, total_steps=epochs * len(loader))
    columns = (
        TextColumn("epoch {task.fields[epoch]:>2}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("loss {task.fields[loss]:.4f}"),
        TimeElapsedColumn(),
    )
    losses = []
    model.train()
    with Progress(*columns) as progress:
        task = progress.add_task("train", total=epochs * len(loader), epoch=1, loss=float("nan"))
        for epoch in range(epochs):
            for images, labels in loader:
                loss = F.cross_entropy(model(images), labels)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                scheduler.step()
                losses.append(loss.item())
                progress.update(task, advance=1, epoch=epoch + 1, loss=losses[-1])
    return losses


@torch.no_grad()
def classify(model, dataset):
    """Return the predicted class of every image and the share that is right."""
    model.eval()
    images, labels = dataset.tensors
    predicted = model(images).argmax(dim=1)
    return predicted, (predicted == labels).float().mean().item()


def draw(path, losses, dataset, predicted, accuracy, count=20):
    """Write the loss curve and ``count`` test digits, those that were misread first."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    images, labels = dataset.tensors
    wrong = predicted != labels
    shown = torch.argsort(wrong.int(), descending=True, stable=True)[:count].tolist()
    figure = plt.figure(figsize=(12, 5.2), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=[1, 1.25])

    axes = left.subplots()
    axes.plot(losses, color="#9db7d5", linewidth=1, label="each step")
    window = max(1, len(losses) // 30)
    smooth = [sum(losses[i : i + window]) / window for i in range(len(losses) - window + 1)]
    axes.plot(range(window - 1, len(losses)), smooth, color="#1f4e8c", linewidth=2, label=f"mean of {window}")
    axes.set(xlabel="step", ylabel="cross-entropy", yscale="log", title="training loss")
    axes.grid(alpha=0.3)
    axes.legend()

    right.suptitle(f"test accuracy {accuracy:.1%}  (misread digits first)")
    for axes, i in zip(right.subplots(4, count // 4).flat, shown):
        axes.imshow(images[i, 0].numpy(), cmap="gray_r")
        read, true = int(predicted[i]), int(labels[i])
        if read == true:
            axes.set_title(f"{read}")
        else:
            axes.set_title(f"{read} (is {true})", color="#c0392b")
        axes.set_axis_off()
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main():
    parser = argparse.ArgumentParser(description="Train a small convolutional network on scanned digits.")
    parser.add_argument("--epochs", type=int, default=8, help="passes over the training digits (default 8)")
    parser.add_argument("--batch", type=int, default=32, help="digits per step (default 32)")
    parser.add_argument("--lr", type=float, default=1e-2, help="highest learning rate (default 0.01)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the split, the weights and the order (default 0)")
    parser.add_argument("--out", default="digits.png", help="picture to write (default digits.png; '' writes none)")
    args = parser.parse_args()
    if args.epochs < 1 or args.batch < 1:
        parser.error("--epochs and --batch must be at least 1")

    torch.manual_seed(args.seed)
    generator = torch.Generator().manual_seed(args.seed)
    training, test = load(generator)
    loader = DataLoader(training, batch_size=args.batch, shuffle=True, generator=generator)
    model = DigitNet()
    count = sum(p.numel() for p in model.parameters())
    print(f"{len(training)} digits to learn from, {len(test)} to test on; {count} parameters")

    start = time.perf_counter()
    losses = train(model, loader, args.epochs, args.lr)
    seconds = time.perf_counter() - start
    predicted, accuracy = classify(model, test)
    print(f"test accuracy {accuracy:.2%} after {args.epochs} epochs ({len(losses)} steps, {seconds:.1f} s)")
    if args.out:
        draw(args.out, losses, test, predicted, accuracy)
        print(f"wrote {args.out}")


if __name__ == "__main__":
    main()

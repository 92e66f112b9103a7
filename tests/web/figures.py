"""Reads what /metrics says."""

from __future__ import annotations

from prometheus_client.parser import text_string_to_metric_families

Labels = frozenset[tuple[str, str]]


class Figures:
    """The samples of one look at /metrics, by name and labels."""

    def __init__(self, text: str) -> None:
        self.samples: dict[str, dict[Labels, float]] = {}
        for family in text_string_to_metric_families(text):
            for sample in family.samples:
                by_labels = self.samples.setdefault(sample.name, {})
                labels = frozenset(sample.labels.items())
                assert labels not in by_labels, sample
                by_labels[labels] = sample.value

    def sum(self, name: str, **labels: str) -> float:
        """The sum of all samples of this name that have these labels among theirs."""
        found = self.samples.get(name, {})
        return sum(value for has, value in found.items() if labels.items() <= dict(has).items())

    def values(self, name: str, label: str) -> set[str]:
        """Every value of a label."""
        return {dict(labels)[label] for labels in self.samples.get(name, {})}

    def labels(self, name: str) -> set[str]:
        """The names of the labels of a sample."""
        return {label for labels in self.samples[name] for label, _ in labels}

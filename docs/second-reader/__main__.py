"""Reads the files of a source a second time, by its declaration alone, and compares what a service holds of it.

It follows docs/sources.md and shares no code with Pantry; where that page was silent, it does what Pantry does.
Python 3.8 or later, and nothing else.
Standard input has a JSON value in each line: first {folder, reader, attributes}, then what is held, each as {row},
{set} or {left_out}, and {end} last. Standard output gets one JSON object: the verdict, the reason, counts, the first
differences, and the SHA-256 of each file. What cannot be read here is never called equal: it is `not proved`.
"""
import json, sys, traceback
from collections import Counter
from files import Files
from rows import read_rows, read_sets
from values import Unknown, same

SHOWN = 20  # differences that are listed
COUNTS = ['rows', 'sets', 'equal', 'different', 'missing', 'more', 'left_out', 'repeated']


def difference(pairs):
    """The first member of objects that differs, as read and as held. One that is absent equals one that is null."""
    for name, read, held in pairs:
        for member in {**read, **held}:
            if not same(read.get(member), held.get(member)):
                return f'{name}.{member}', read.get(member), held.get(member)
    return None


def difference_of(row, held):
    """How a row that is held differs from one that was read: in its SKU, its facts, its set, or the card made of it."""
    _, sku, card, of_set = row
    if sku != held['sku']:
        return 'sku', sku, held['sku']
    cards = [] if held['card'] is None else [('card', card, held['card'])]
    return difference([('row', card, held['row']), ('set', of_set, held['set']), *cards])


class Comparison:
    """What was read, and how what is held differs from it."""

    def __init__(self, reader, files, attributes):
        self.counts, self.first = dict.fromkeys(COUNTS, 0), []
        self.rows, self.left_out, self.skus = {}, Counter(), {}
        for place, (native_id, *row) in enumerate(read_rows(reader, files, attributes)):
            self.counts['rows'] += 1
            if row[0] is None:
                self.counts['left_out'] += 1
            else:
                self.rows.setdefault(native_id, []).append((place, *row))
        self.sets = read_sets(reader, files)
        self.counts['sets'] = len(self.sets)

    def differ(self, kind, native_id, sku, member, read, held):
        self.counts[kind] += 1
        if len(self.first) < SHOWN:
            self.first.append({'kind': kind, 'native_id': native_id, 'sku': sku, 'member': member,
                               'read': read, 'held': held})

    def take(self, line):
        """Takes one thing that is held. Rows that were left out come first."""
        if 'left_out' in line:
            self.left_out[line['left_out']] += 1
        elif 'set' in line:
            self.take_set(line['set'])
        else:
            self.take_row(**line['row'])

    def take_set(self, held):
        read, name = self.sets.pop(f"{held['game']} {held['code'].lower()}", None), f"set {held['code']}"
        found = None if read is None else difference([(name, read, held)])
        if read is None:
            self.differ('more', None, None, name, None, held['code'])
        elif found is not None:
            self.differ('different', None, None, *found)

    def take_row(self, native_id, **held):
        """Compares a row with the first of its id; with a later one only where as many were left out."""
        rows, sku = self.rows.pop(native_id, None), held['sku']
        if rows is None or sku in self.skus:
            self.differ('more', native_id, sku, None, None, sku)
            return
        found = [(row, difference_of(row, held)) for row in rows[:1 + self.left_out[native_id]]]
        row, differs = next((one for one in found if one[1] is None), found[0])
        self.skus[sku] = row[0]
        self.counts['repeated'] += len(rows) - 1
        if differs is None:
            self.counts['equal'] += 1
        else:
            self.differ('different', native_id, sku, *differs)

    def finish(self):
        """Accounts for what was read and is not held. Of rows with one SKU, the first is held."""
        for native_id, rows in self.rows.items():
            place, sku = rows[0][:2]
            if self.left_out[native_id] > 0:
                self.counts['left_out'] += len(rows)
            elif self.skus.get(sku, place) < place:
                self.counts['repeated'] += len(rows)
            else:
                self.differ('missing', native_id, sku, None, sku, None)
        for read in self.sets.values():
            self.differ('missing', None, None, f"set {read['code']}", read['code'], None)
        return 'different' if any(self.counts[kind] for kind in ('different', 'missing', 'more')) else 'proved'


def answer(lines):
    start = json.loads(next(lines))
    files = Files(start['folder'])
    result = {'verdict': 'not proved', 'reason': None, 'counts': None, 'first': [], 'files': files.digests}
    try:
        comparison = Comparison(start['reader'], files, start['attributes'])
        for line in map(json.loads, lines):
            if 'end' in line:
                verdict = comparison.finish()
                return {**result, 'verdict': verdict, 'counts': comparison.counts, 'first': comparison.first}
            comparison.take(line)
        raise Unknown('the end of what is held, which did not come')
    except Unknown as error:
        return {**result, 'reason': f'The second reader does not know {error}.'}
    except Exception as error:
        traceback.print_exc()
        return {**result, 'reason': f'The second reader failed: {type(error).__name__}.'}


if __name__ == '__main__':
    sys.stdin.reconfigure(encoding='utf-8')
    json.dump(answer(iter(sys.stdin)), sys.stdout)

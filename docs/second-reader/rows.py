"""The rows of a source, and what is kept of each (docs/sources.md)."""
import re
from expressions import Expressions, cut, path_of, pattern_of
from files import BROKEN
from values import (is_tag, kept, kept_attribute, kept_count, kept_list, kept_names, kept_release,
                    known, text_of)

READER = ['files', 'rows', 'tables', 'expressions', 'only_with', 'sets', 'map', 'exceptions']
LOOP = ['as', 'each', 'or', 'otherwise', 'key', 'split']
MAP = ['native_id', 'game', 'set_code', 'set_name', 'set_name_translations', 'released_on', 'declared_total',
       'number', 'sku_number', 'name', 'name_lang', 'name_translations', 'lang', 'variant', 'rarity', 'illustrators',
       'printed_in', 'faces', 'attributes']


class NoCard(Exception):
    """A row that lacks what every card has."""


def within(scope, loop, key, value):
    inner = {**scope, loop['as']: value}
    if 'key' in loop:
        inner[loop['key']] = key
    return inner


def turns(loop, scope):
    for path in [loop.get('each'), *loop.get('or', [])]:
        value = path_of(path)(scope) if path is not None else None
        members = cut(text_of(value), loop['split']) if 'split' in loop else value
        if members and isinstance(members, (dict, list)):
            return list(members.items()) if isinstance(members, dict) else list(enumerate(members))
    instead = path_of(loop['otherwise'])(scope) if 'otherwise' in loop else None
    return [] if instead is None else [(0, instead)]


def nested(loops, scope):
    if not loops:
        yield scope
        return
    for key, value in turns(loops[0], scope):
        yield from nested(loops[1:], within(scope, loops[0], key, value))


def scopes(files, declared, loops):
    """What the loops name, for each row in the order of the files; None for a line that cannot be read."""
    for loop in loops:
        known(loop, LOOP, 'the member of a loop')
    for one in declared:
        for key, value, file in files.members(one):
            if value is BROKEN:
                yield None
            else:
                yield from nested(loops[1:], within({'file': file}, loops[0], key, value))


def table_of(files, declared):
    """Rows by their keys, of which the first counts."""
    key, table = Expressions().read(declared['key']), {}
    for scope in scopes(files, [declared['file']], declared['rows']):
        found = None if scope is None else key(scope)
        for name in found if isinstance(found, list) else [found]:
            if name is not None:
                table.setdefault(text_of(name), scope)
    return table


def part_of_sku(text):
    def escaped(found):
        sign = found[0]
        return {'-': '_', ' ': '.'}.get(sign) or ''.join(f'~{byte:02x}' for byte in sign.encode())
    return re.sub('[^a-z0-9]', escaped, text.lower())


def names_of(given, read):
    if not isinstance(given, dict) or 'languages' not in given:
        return read(given)
    by_language = {tag: read(one) for tag, one in given['languages'].items()}
    return lambda scope: {tag: one(scope) for tag, one in by_language.items()}


def attributes_in(declared, scope, game):
    attributes = {name: kept_attribute(read(scope), rule, game) for name, read, rule in declared}
    return {name: value for name, value in attributes.items() if value is not None} or None


class Mapping:
    """Makes what is kept of a row from the map of a declaration."""

    def __init__(self, given, expressions, attributes):
        known(given, MAP, 'the field')
        read = expressions.read
        for rule in attributes.values():
            if 'form' in rule:
                rule['pattern'] = pattern_of(rule['form'])

        def attributes_of(declared):
            return [(name, read(one), attributes.get(name)) for name, one in declared.get('attributes', {}).items()]
        self.attributes = attributes_of(given)
        for face in given.get('faces', []):
            known(face, ['side', 'name', 'attributes'], 'the member of a face')
        self.faces = [(read(face.get('side')), read(face.get('name')), attributes_of(face))
                      for face in given.get('faces', [])]
        self.names = {field: names_of(given.get(field), read)
                      for field in ('name_translations', 'set_name_translations')}
        self.product = {name: read(one) for name, one in sorted(given.get('printed_in', {}).items())}
        self.fields = {name: read(one) for name, one in given.items()
                       if name not in ('attributes', 'printed_in', 'faces', *self.names)}

    def of(self, name, scope):
        return self.fields[name](scope) if name in self.fields else None

    def needed(self, name, scope):
        text = kept(self.of(name, scope))
        if text is None:
            raise NoCard()
        return text

    def card(self, scope):
        """The SKU of a row, and what is kept of it; raises NoCard where it can be none."""
        game, code, number, lang = (self.needed(name, scope) for name in ('game', 'set_code', 'number', 'lang'))
        lang, variant = lang.lower(), kept(self.of('variant', scope)) or ''
        in_sku = self.needed('sku_number', scope) if 'sku_number' in self.fields else number
        if not is_tag(lang) or not re.fullmatch('[a-z0-9]+', game):
            raise NoCard()
        name, names = kept(self.of('name', scope)), kept_names(self.names['name_translations'](scope)) or {}
        if name is not None:
            names[self.needed('name_lang', scope).lower() if 'name_lang' in self.fields else lang] = name
        sku = '-'.join(map(part_of_sku, [game, code, in_sku, lang] + ([variant] if variant else [])))
        return sku, {
            'game': game, 'set_code': code, 'card_number': number, 'lang': lang, 'variant': variant, 'name': name,
            'name_translations': names or None,
            'rarity': kept(self.of('rarity', scope)),
            'illustrators': kept_list(self.of('illustrators', scope)),
            'printed_in': self.printed_in(scope),
            'attributes': attributes_in(self.attributes, scope, game),
            'faces': self.faces_in(scope, game),
        }

    def faces_in(self, scope, game):
        faces = [{'side': kept(side(scope)), 'name': kept(name(scope)),
                  'attributes': attributes_in(attributes, scope, game)} for side, name, attributes in self.faces]
        there = [face for face in faces if face['name'] is not None or face['attributes'] is not None]
        return there if len(there) > 1 else None

    def printed_in(self, scope):
        product = {name: kept(read(scope)) for name, read in self.product.items()}
        known_of = {name: text for name, text in product.items() if text is not None}
        if not {'name', 'code'} & set(known_of):
            return None
        if known_of.get('kind') not in ('set', 'product', 'promotion'):
            raise NoCard()
        return known_of

    def set(self, scope):
        on, note = kept_release(self.of('released_on', scope))
        return {'name': kept(self.of('set_name', scope)),
                'name_translations': kept_names(self.names['set_name_translations'](scope)),
                'released_on': on, 'released_note': note,
                'declared_total': kept_count(self.of('declared_total', scope))}


def read_rows(reader, files, attributes):
    """Each row in order: its native id or None, its SKU, what is kept of it, and what it says of its set."""
    known(reader, READER, 'the member of a reader')
    tables = {name: table_of(files, declared) for name, declared in reader.get('tables', {}).items()}
    expressions = Expressions(tables, reader.get('expressions'))
    mapping, only_with = Mapping(reader['map'], expressions, attributes), expressions.read(reader.get('only_with'))
    for scope in scopes(files, reader['files'], reader['rows']):
        if scope is None:
            yield None, None, None, None
        elif 'only_with' not in reader or only_with(scope) is not None:
            native_id = None
            try:
                native_id = mapping.needed('native_id', scope)
                sku, card = mapping.card(scope)
                yield native_id, sku, card, mapping.set(scope)
            except NoCard:
                yield native_id, None, None, None


def read_sets(reader, files):
    """The sets that a source lists, of which the first with a game and a code counts, in any letter case."""
    declared, found = reader.get('sets'), {}
    if declared is None:
        return found
    known(declared['map'], ['game', 'code', 'name', 'released_on', 'declared_total'], 'the field of a set')
    fields = {name: Expressions().read(one) for name, one in declared['map'].items()}
    for scope in scopes(files, declared['files'], declared['rows']):
        value = {name: None if scope is None else read(scope) for name, read in fields.items()}
        game, code = kept(value['game']), kept(value['code'])
        if game is not None and code is not None:
            found.setdefault(f'{game} {code.lower()}', {
                'game': game, 'code': code, 'name': kept(value.get('name')),
                'released_on': kept_release(value.get('released_on'))[0],
                'declared_total': kept_count(value.get('declared_total'))})
    return found

"""The files of a source: which they are, how their text is written, and what their members are."""
import csv, gzip, hashlib, json, os, re, zipfile, xml.parsers.expat
from sheets import sheet_rows, table_of
from values import WHITE, Unknown, known

PARTS = ['shape', 'path', 'except', 'package', 'at', 'single', 'delimiter', 'encoding', 'quotes', 'set', 'export', 'table']
DELIMITERS = {'comma': ',', 'semicolon': ';', 'tab': '\t'}
csv.field_size_limit(2**30)
BROKEN = object()


def name_form(part):
    """A part of a path with `*` or `{word}`, as a pattern for a name, which starts with no point."""
    pieces = re.split(r'(\*|\{[a-z_]+\})', part)
    forms = ['[^/]*' if one == '*' else f'(?P<{one[1:-1]}>[^/]+?)' if one.startswith('{') else re.escape(one)
             for one in pieces]
    return re.compile('(?![.])' + ''.join(forms))


def package_folder(name, folder):
    """The folder of a package on which that of the source depends: the nearest `node_modules` has it."""
    while not os.path.isdir(os.path.join(folder, 'node_modules', name)):
        if os.path.dirname(folder) == folder:
            raise Unknown(f'the package `{name}`, which is not installed')
        folder = os.path.dirname(folder)
    return os.path.join(folder, 'node_modules', name)


def matches(folder, parts):
    """Names below a folder that match, as lists of their parts, with the words of the path."""
    if not parts:
        return [([], {})]
    part, rest = parts[0], parts[1:]
    names = sorted(os.listdir(folder)) if re.search('[*{]', part) else [part]
    found = []
    for name in names:
        match = name_form(part).fullmatch(name)
        path = os.path.join(folder, name)
        if match and (os.path.isdir(path) if rest else os.path.isfile(path)):
            found += [([name] + below, {**match.groupdict(), **words}) for below, words in matches(path, rest)]
    return found


def is_path(parts, forms):
    return len(parts) == len(forms) and all(name_form(form).fullmatch(part) for form, part in zip(forms, parts))


class Files:
    """Reads files as they are declared, and remembers the digest of each."""

    def __init__(self, folder):
        self.folder, self.digests = os.path.realpath(folder), {}

    def found(self, declared):
        """The path of each file that is declared, as it is told, and what expressions read as `file`."""
        known(declared, PARTS, 'the member of a file')
        name = declared.get('package')
        folder = package_folder(name, self.folder) if name else self.folder
        left_out = [path.split('/') for path in declared.get('except', [])]
        for parts, words in matches(folder, declared['path'].split('/')):
            if not any(is_path(parts, one) for one in left_out):
                shown = '/'.join([name, *parts] if name else parts)
                file = {'name': re.sub('[.].*', '', parts[-1], flags=re.DOTALL), **words, **declared.get('set', {})}
                yield os.path.join(folder, *parts), shown, file

    def members(self, declared):
        """The members of the document of each file: its key, its value, and `file`."""
        count = 0
        for path, shown, file in self.found(declared):
            count += 1
            with open(path, 'rb') as opened:
                data = opened.read()
            self.digests[shown] = hashlib.sha256(data).hexdigest()
            try:
                if data.startswith(b'\x1f\x8b'):
                    data = gzip.decompress(data)
                members = members_of(declared, data, path)
            except (ValueError, RecursionError, OSError, EOFError, zipfile.BadZipFile, xml.parsers.expat.ExpatError):
                raise Unknown(f'{shown}, which is no {declared["shape"]}') from None
            for key, value in members:
                yield key, value, file
        if count == 0:
            raise Unknown(f'a file `{declared["path"]}`, which is not there')


def decoded(data, encoding):
    for mark, name in ((b'\xff\xfe', 'utf-16-le'), (b'\xfe\xff', 'utf-16-be'), (b'\xef\xbb\xbf', 'utf-8')):
        if data.startswith(mark):
            return data[len(mark):].decode(name)
    if encoding is None:
        return data.decode('utf-8')
    if encoding != 'windows-1252':
        raise Unknown(f'the encoding `{encoding}`')
    return ''.join(bytes([byte]).decode('cp1252', 'ignore') or chr(byte) for byte in data)


def number_of(text):
    """A number that is whole is an integer, however it is written."""
    number = float(text)
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def no_number(name):
    raise ValueError(name)


def json_of(text):
    return json.loads(text, parse_float=number_of, parse_constant=no_number)


def line_of(text):
    """The value of a line, or BROKEN where it is no JSON."""
    try:
        return json_of(text)
    except ValueError:
        return BROKEN


def members_of(declared, data, path):
    shape = declared['shape']
    if shape == 'sqlite':
        return table_of(path, declared.get('table'))
    if shape == 'xlsx':
        return sheet_rows(data, declared.get('table'))
    if shape not in ('json', 'json-lines', 'table'):
        raise Unknown(f'the shape `{shape}`')
    text = decoded(data, declared.get('encoding'))
    if shape == 'table':
        return enumerate(table_rows(text, declared))
    if shape == 'json-lines':
        return ((at, line_of(line)) for at, line in enumerate(text.split('\n'), 1) if line.strip(WHITE))
    document = json_of(text)
    if declared.get('single'):
        return [(0, document)]
    for name in declared['at'].split('.') if 'at' in declared else []:
        document = document.get(name) if isinstance(document, dict) else None
    if not isinstance(document, (dict, list)):
        raise ValueError('neither a list nor an object')
    return document.items() if isinstance(document, dict) else enumerate(document)


def lines_of(reader):
    while True:
        try:
            yield next(reader)
        except csv.Error:
            yield None
        except StopIteration:
            return


def table_rows(text, declared):
    """Lines as objects of what has a name and a value; BROKEN where a quotation mark is wrong or a field too many."""
    quoting = csv.QUOTE_MINIMAL if declared.get('quotes', True) else csv.QUOTE_NONE
    delimiter = DELIMITERS[declared.get('delimiter', 'comma')]
    lines = (line + '\n' for line in text.split('\n'))
    names = None
    for fields in lines_of(csv.reader(lines, delimiter=delimiter, quoting=quoting, strict=True)):
        if fields in ([], ['']):
            continue
        if fields is None:
            yield BROKEN
        elif names is None:
            names = fields
        elif any(fields[len(names):]):
            yield BROKEN
        else:
            yield {name: field for name, field in zip(names, fields) if name and field}

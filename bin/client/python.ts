import { isObject, type JsonObject, type JsonValue } from '../../core/canonical/json.ts'
import { UsageError } from '../config.ts'
import type { ClientPackage } from './files.ts'
import { classWords, PythonTypes, pythonName, pythonText } from './python-types.ts'

/** The versions that PyPI takes (PEP 440). */
const pythonVersion =
  /^\d+(?:\.\d+)*(?:[-_.]?(?:a|b|c|rc|alpha|beta|pre|preview)[-_.]?\d*)?(?:[-_.]?post[-_.]?\d*)?(?:[-_.]?dev[-_.]?\d*)?(?:\+[a-z0-9]+(?:[-_.][a-z0-9]+)*)?$/i

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '')
const objects = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]).filter((one): one is JsonObject => isObject(one)) : []
const members = (value: JsonValue | undefined): readonly (readonly [string, JsonValue])[] =>
  Object.entries(isObject(value) ? value : {})

const runtime = (baseUrl: string): string => `class ServiceError(Exception):
    """A refusal of the service. \`status\` is that of HTTP, \`code\` the permanent code of the error, \`body\` what it sent."""

    def __init__(self, status: int, body: Any) -> None:
        error = body.get("error") if isinstance(body, dict) else None
        known = error if isinstance(error, dict) else {}
        super().__init__(known.get("message") or f"The service answered {status}.")
        self.status = status
        self.code: str | None = known.get("code")
        self.body = body


class _Redirect(urllib.request.HTTPRedirectHandler):
    """Follows to another origin without what proves who asks."""

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Any:
        follow = super().redirect_request(req, fp, code, msg, headers, newurl)
        before, after = urllib.parse.urlsplit(req.full_url), urllib.parse.urlsplit(newurl)
        if follow is not None and (before.scheme, before.netloc) != (after.scheme, after.netloc):
            for name in ("Authorization", "Cookie", "Proxy-authorization"):
                follow.remove_header(name)
        return follow


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(_text(one) for one in value) if isinstance(value, (list, tuple)) else str(value)


def _segment(name: str, value: Any) -> str:
    text = _text(value)
    if text in ("", ".", ".."):
        raise ValueError(f"\`{name}\` is a part of the path and cannot be {text!r}.")
    return urllib.parse.quote(text, safe="")


def _content(headers: Any, data: bytes) -> Any:
    if re.search(r"[/+]json\\b", headers.get("Content-Type") or ""):
        return json.loads(data)
    return data.decode(headers.get_content_charset() or "utf-8", "replace")


class Client:
    """Has a function for each operation. It returns the body of the answer, and raises a ServiceError for a refusal."""

    def __init__(
        self,
        base_url: str = ${pythonText(baseUrl)},
        *,
        headers: Mapping[str, str] | None = None,
        timeout: float = 30,
    ) -> None:
        if not re.match(r"https?://", base_url):
            raise ValueError("The base URL must begin with http:// or https://.")
        self._base_url = base_url.rstrip("/")
        self._headers = dict(headers or {})
        self._timeout = timeout
        self._opener = urllib.request.build_opener(_Redirect())

    def _call(
        self,
        method: str,
        path: str,
        accept: str,
        params: Mapping[str, Any],
        query: Mapping[str, Any],
        body: Any,
        headers: Mapping[str, str] | None,
    ) -> Any:
        for name, value in params.items():
            path = path.replace("{" + name + "}", _segment(name, value))
        given = [(name, _text(value)) for name, value in query.items() if value is not None]
        url = self._base_url + path + ("?" + urllib.parse.urlencode(given) if given else "")
        sent = {"Accept": accept}
        data = None
        if body is not None:
            data = json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
            sent["Content-Type"] = "application/json"
        sent.update(self._headers)
        sent.update(headers or {})
        request = urllib.request.Request(url, data=data, method=method, headers=sent)
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                return _content(response.headers, response.read())
        except urllib.error.HTTPError as refused:
            with refused:
                raise ServiceError(refused.code, _content(refused.headers, refused.read())) from None
`

/** Returns the media type that is asked for, JSON where it is offered, and the schema of its answer. */
function contentOf(found: JsonObject): Readonly<{ accept: string; schema: JsonValue | undefined }> | undefined {
  for (const [status, response] of members(found['responses'])) {
    if (!/^[23]/.test(status) || !isObject(response)) continue
    const offered = members(response['content'])
    const [mediaType, media] = offered.find(([type]) => type === 'application/json') ?? offered[0] ?? []
    if (mediaType === undefined || !isObject(media)) continue
    if (!/[/+]json$/.test(mediaType)) return { accept: mediaType, schema: { type: 'string' } }
    const { schema } = media
    const [first, ...others] = isObject(schema) ? objects(schema['anyOf']) : []
    const isForms = others.some(({ description }) => textOf(description).startsWith('The form `format='))
    return { accept: mediaType, schema: isForms ? first : schema }
  }
  return undefined
}

const dictionary = (names: readonly string[]): string =>
  `{${names.map(name => `${pythonText(name)}: ${pythonName(name)}`).join(', ')}}`

function operationText(types: PythonTypes, method: string, path: string, found: JsonObject): string {
  const id = textOf(found['operationId'])
  const wanted = classWords(id)
  const parameters = objects(found['parameters']).filter(
    one => one['in'] === 'path' || (one['in'] === 'query' && one['name'] !== 'format')
  )
  const named = (place: string): string[] =>
    parameters.flatMap(one => (one['in'] === place ? [textOf(one['name'])] : []))
  const body = isObject(found['requestBody']) ? found['requestBody'] : undefined
  const bodyMedia = members(body?.['content']).find(([type]) => type === 'application/json')?.[1]
  const inputs = parameters.map(one => ({
    name: pythonName(textOf(one['name'])),
    type: types.typeOf(one['schema'], `${wanted}${classWords(textOf(one['name']))}`),
    isNeeded: one['required'] === true
  }))
  if (body !== undefined)
    inputs.push({
      name: 'body',
      type: types.typeOf(isObject(bodyMedia) ? bodyMedia['schema'] : undefined, `${wanted}Body`),
      isNeeded: body['required'] === true
    })
  const content = contentOf(found)
  const answer = content === undefined ? 'Any' : types.typeOf(content.schema, `${wanted}Answer`)
  const given = [
    ...inputs.filter(({ isNeeded }) => isNeeded).map(({ name, type }) => `        ${name}: ${type},\n`),
    ...inputs.filter(({ isNeeded }) => !isNeeded).map(({ name, type }) => `        ${name}: ${type} | None = None,\n`)
  ].join('')
  const call = [
    pythonText(method.toUpperCase()),
    pythonText(path),
    pythonText(content?.accept ?? '*/*'),
    dictionary(named('path')),
    dictionary(named('query')),
    body === undefined ? 'None' : 'body',
    'headers'
  ]
  return `    def ${pythonName(id)}(
        self,
        *,
${given}        headers: Mapping[str, str] | None = None,
    ) -> ${answer}:
        ${pythonText(textOf(found['summary']) || id)}
        return self._call(${call.join(', ')})
`
}

const project = ({ name, version, license }: ClientPackage, module: string, title: string): string => `[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = ${pythonText(name)}
version = ${pythonText(version)}
description = ${pythonText(`A typed client of ${title}.`)}
readme = "README.md"
requires-python = ">=3.10"
${license === 'UNLICENSED' ? 'classifiers = ["Private :: Do Not Upload"]' : `license = ${pythonText(license)}`}
dependencies = []

[tool.setuptools]
packages = [${pythonText(module)}]

[tool.setuptools.package-data]
${module} = ["py.typed"]
`

const readme = (name: string, module: string, title: string, example: string): string => `# ${name}

A typed client of ${title}, made from its OpenAPI document. It has a function for each operation, and needs nothing but Python 3.10 or later.

    from ${module} import Client, ServiceError

    client = Client()
    answer = client.${example}()

What the service refuses is a \`ServiceError\` with \`status\`, \`code\` and \`body\`. Parameters are given by name; \`headers\` go with one call, such as
\`{"If-None-Match": etag}\`, whose 304 is a \`ServiceError\` too.
`

/** Generates the files of a client package for PyPI from an OpenAPI 3.1 document alone. */
export function pythonFiles(document: JsonObject, about: ClientPackage): Readonly<Record<string, string>> {
  if (!pythonVersion.test(about.version))
    throw new UsageError(
      `PyPI takes no version \`${about.version}\`: name another with --release, such as 1.4.0 or 1.4.0rc1.`
    )
  const { info, servers, components } = document
  const title = isObject(info) ? textOf(info['title']) : about.name
  const module = pythonName(about.name.replace(/^@[^/]*\//, ''))
  const types = new PythonTypes(isObject(components) ? members(components['schemas']) : [])
  const operations = members(document['paths']).flatMap(([path, item]) =>
    members(item).flatMap(([method, found]) => (isObject(found) ? [{ method, path, found }] : []))
  )
  const functions = operations.map(({ method, path, found }) => operationText(types, method, path, found))
  const needsInput = ({ parameters, requestBody }: JsonObject): boolean =>
    requestBody !== undefined || objects(parameters).some(one => one['required'] === true)
  const start = operations.find(({ path }) => path === '/api/v1') ?? operations.find(one => !needsInput(one.found))
  const example = pythonName(textOf(start?.found['operationId']) || 'get_root')
  const [server] = objects(servers).map(({ url }) => textOf(url))
  return {
    'pyproject.toml': project({ ...about, name: about.name.replace(/^@[^/]*\//, '') }, module, title),
    'README.md': readme(about.name, module, title, example),
    [`${module}/py.typed`]: '',
    [`${module}/__init__.py`]: `${pythonText(`A typed client of ${title}.`)}

from __future__ import annotations

import json
import re
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from typing import Any, Literal, TypedDict

__all__ = ["Client", "ServiceError"]


${types.text}

${runtime(server ?? '')}
${functions.join('\n')}`
  }
}

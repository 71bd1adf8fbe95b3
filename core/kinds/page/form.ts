import { admitsEveryone, isOpen } from '../../access/index.ts'
import { formId, type ManifestFile } from '../../manifest/kind.ts'
import { parseTarget, type Target } from '../../manifest/paths.ts'
import type { Surface } from '../../manifest/surface.ts'
import type { SourceFile } from '../../source/report.ts'
import type { FormManifest, PageManifest } from './manifest.ts'

/** Fields of the manifest of a form that its page sets under `forms`. */
const own = ['path', 'sends', 'access', 'confirm']

/** Fields that belong to the page alone. A form takes all other fields from its page. */
const ofPages = ['forms', 'aliases', 'menu', 'examples', 'cache'] as const

type Shared = Omit<PageManifest, (typeof ofPages)[number]>

const shared = (manifest: PageManifest): Shared =>
  Object.fromEntries(Object.entries(manifest).filter(([name]) => !ofPages.some(one => one === name))) as Shared

const sourceOf = (source: SourceFile, name: string): SourceFile => ({
  ...source,
  locate: (pointer, on) => source.locate(own.includes(String(pointer[0])) ? ['forms', name, ...pointer] : pointer, on)
})

const rightsOf = ({ access, carriesPii, requiresConsent, freshness, license, sources, provenance }: Surface) => ({
  access: [...access],
  carries_pii: carriesPii,
  requires_consent: requiresConsent,
  freshness: freshness.key,
  license,
  sources: [...sources],
  provenance
})

/**
 * Returns who may send a form: callers whom both the page and the surface admit. If their lists share no access kind,
 * the list of the page: the surface, which is asked as the caller of the form, then refuses.
 */
function joinAccess({ access }: PageManifest, surface: Surface): string[] {
  const page = [access].flat()
  if (isOpen(surface.access)) return page
  if (admitsEveryone(page)) return [...surface.access]
  const both = surface.access.filter(kind => page.includes(kind))
  return both.length === 0 ? page : both
}

/**
 * Returns the forms of a page as manifests of surfaces. A form has the rights of the surface that it sends to, or those
 * of the page if that surface is known only when the form is sent. A stricter page, or `access` of the form, limits who
 * may send it.
 */
export function formsOf(
  page: ManifestFile<PageManifest>,
  surfaceAt: (target: Target) => Surface | undefined
): ManifestFile<FormManifest>[] {
  const { path: back, forms = {} } = page.manifest
  return Object.entries(forms).map(([name, { path = back, sends, access, confirm }]) => {
    const target = parseTarget(sends)
    const surface = target === undefined ? undefined : surfaceAt(target)
    return {
      ...page,
      id: formId(page.id, name),
      formOf: page.id,
      source: sourceOf(page.source, name),
      manifest: {
        ...shared(page.manifest),
        ...(surface === undefined ? {} : { ...rightsOf(surface), access: joinAccess(page.manifest, surface) }),
        ...(access === undefined ? {} : { access }),
        ...(confirm === undefined ? {} : { confirm }),
        method: 'POST',
        path,
        name,
        sends,
        back
      }
    }
  })
}

import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { scratchFolder } from './scratch.ts'

/** Why a test cannot make certificates here; false where it can. */
export const noCertificates: string | false =
  spawnSync('openssl', ['version']).status === 0 ? false : 'openssl is not installed'

/** A certificate and its key, as text and as files. */
export type Certificate = Readonly<{ cert: string; key: string; certFile: string; keyFile: string }>

/** An authority of its own, and certificates that it signed. */
export function authority(t: Test): Readonly<{
  own: Certificate
  sign: (name: string, alternative: string) => Certificate
  /** Returns the file of a list on which this certificate alone is revoked. */
  revoke: (name: string) => string
}> {
  const folder = scratchFolder(t)
  const openssl = (...args: readonly string[]): void => {
    execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' })
  }
  const read = (name: string): Certificate => {
    const [certFile, keyFile] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)]
    return { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8'), certFile, keyFile }
  }
  const fresh = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  openssl('req', '-x509', ...fresh, '-keyout', 'root.key', '-out', 'root.crt', '-subj', '/CN=root', '-days', '2')
  return {
    own: read('root'),
    sign: (name, alternative) => {
      writeFileSync(join(folder, 'extensions'), `subjectAltName=${alternative}\n`)
      openssl('req', ...fresh, '-keyout', `${name}.key`, '-out', 'request', '-subj', `/CN=${name}`)
      openssl(
        ...['x509', '-req', '-in', 'request', '-CA', 'root.crt', '-CAkey', 'root.key', '-CAcreateserial'],
        ...['-days', '2', '-extfile', 'extensions', '-out', `${name}.crt`]
      )
      return read(name)
    },
    revoke: name => {
      const database = join(folder, `${name}.index`)
      writeFileSync(database, '')
      writeFileSync(
        join(folder, 'revoking'),
        `[ca]\ndefault_ca=own\n[own]\ndatabase=${database}\ndefault_md=sha256\ndefault_crl_days=2\n`
      )
      const own = ['ca', '-config', 'revoking', '-cert', 'root.crt', '-keyfile', 'root.key']
      openssl(...own, '-revoke', `${name}.crt`)
      openssl(...own, '-gencrl', '-out', `${name}.crl`)
      return join(folder, `${name}.crl`)
    }
  }
}

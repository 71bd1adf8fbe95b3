import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** A new secret: 256 random bits in base64url. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/**
 * What is stored of a secret: its SHA-256, in hex. A secret of 256 random bits needs no salt (NIST SP 800-63B §5.1.2).
 */
export const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** Whether two texts are the same, in a time that does not say where they differ. */
export const isSame = (a: string, b: string): boolean =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())

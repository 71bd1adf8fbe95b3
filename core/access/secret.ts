import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Creates a secret: 256 random bits in base64url. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/**
 * Returns the hash of a secret to store: its SHA-256, in hex. A secret of 256 random bits needs no salt (NIST SP
 * 800-63B §5.1.2).
 */
export const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** Tells whether two texts are equal, in a time that does not reveal where they differ. */
export const isSame = (a: string, b: string): boolean =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())

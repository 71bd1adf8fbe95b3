/** Thrown and caught within this folder, where a schema uses more than the plain part of JSON Schema, or is wrong. */
export class NotPlain extends Error {}

/** Form of an id of the database, as `gen_random_uuid()` gives it, for schemas. */
export const idPattern = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'

const form = new RegExp(idPattern)

/** Whether a text can be an id; the database refuses to compare one that cannot. */
export const isId = (text: string): boolean => form.test(text)

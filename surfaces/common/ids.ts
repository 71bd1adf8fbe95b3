/** Pattern of database ids, as `gen_random_uuid()` generates them, for schemas. */
export const idPattern = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'

const form = new RegExp(idPattern)

/** Whether a text can be an id; the database throws when an id is compared with any other text. */
export const isId = (text: string): boolean => form.test(text)

import { keyTables } from 'pantry/keys'

export const { up, down } = keyTables

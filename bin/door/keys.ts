/**
 * `pantry/keys`: keys of agents. As a root it gives a service the table of keys, the service `callers` and the command
 * `pantry keys`; a root that has keys with more to them writes its own with what is here.
 *
 * @module
 */
export { scopesOf } from '../../core/access/index.ts'
export { keyCallers } from '../../core/database/keys/callers.ts'
export { changeKeys, keyByText, markKeyUsed, onlyHolding } from '../../core/database/keys/held.ts'
export { isKeyPrefix, KeyStore, type KeyWanted, type ShownKey } from '../../core/database/keys/store.ts'
export { keyTables } from '../../core/database/keys/tables.ts'
export { CallerLimits, RequestWindows, type Window } from '../../core/database/keys/windows.ts'

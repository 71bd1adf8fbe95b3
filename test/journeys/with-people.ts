import { packageFolder } from '../../bin/project.ts'
import { holds, type Started, type Travel } from './journey.ts'
import { dataOf, pantry } from './with-checkout.ts'
import { visitor, type Visitor } from './with-visitor.ts'

/**
 * What the operator does with the command line, on the machine of the service and while it runs; answers with the
 * results, which are on stdout.
 */
export const operate = async (travel: Travel, args: string): Promise<string> => {
  const words = `${travel.folder}/words`
  return (
    await travel.shell(`${pantry} ${args} 2>${words} || { cat ${words}; exit 1; }`, {
      cwd: packageFolder,
      env: { PANTRY_DATA_DIR: dataOf(travel), LOG_LEVEL: 'silent' }
    })
  ).trim()
}

/** The operator adds people, and each signs in with the code that they were given. */
export async function signedIn<Name extends string>(
  travel: Travel,
  service: Started,
  names: readonly Name[],
  role = ''
): Promise<Record<Name, Visitor>> {
  const people: [Name, Visitor][] = []
  for (const name of names) {
    const { code } = JSON.parse(await operate(travel, `people add ${name} ${role} --format json`)) as { code: string }
    const person = visitor(service)
    await person.json('/api/v1/account/sign-in', { body: { username: name, code } })
    holds(JSON.stringify(await person.json('/api/v1/account')).includes(`"username":"${name}"`), `${name} is signed in`)
    people.push([name, person])
  }
  return Object.fromEntries(people) as Record<Name, Visitor>
}

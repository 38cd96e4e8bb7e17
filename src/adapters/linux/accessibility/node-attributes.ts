import type { Bus, BusMethod, ObjectRef } from '../dbus/bus.ts'
import { ATSPI, GET } from './accessibility.ts'
import type { NodeAttributes } from './node-details.ts'
import { MAX_NAME_CHARACTERS } from './read-limits.ts'

const accessible = (member: string): BusMethod => ({ interface: `${ATSPI}.Accessible`, member })

const ROLE_NUMBER = accessible('GetRole')

const STATES = accessible('GetState')

const INTERFACES = accessible('GetInterfaces')

/** Requests the attributes of an object. Returns undefined when it does not answer. */
export async function readAttributes(bus: Bus, ref: ObjectRef): Promise<NodeAttributes | undefined> {
  const [name, description, role, states, interfaces] = await Promise.all([
    bus.tryCall<string>(ref, GET, `${ATSPI}.Accessible`, 'Name'),
    bus.tryCall<string>(ref, GET, `${ATSPI}.Accessible`, 'Description'),
    bus.tryCall<number>(ref, ROLE_NUMBER),
    bus.tryCall<readonly number[]>(ref, STATES),
    bus.tryCall<readonly string[]>(ref, INTERFACES),
  ])
  if (role === undefined || !states) return undefined
  const patterns = patternsOf(interfaces ?? [])
  return { role, name: truncate(name ?? ''), description: truncate(description ?? ''), states, patterns }
}

/** Requests the attributes of a cell that shares role and interfaces with the cell above it. */
export async function readCell(
  bus: Bus,
  ref: ObjectRef,
  { role, patterns }: NodeAttributes,
): Promise<NodeAttributes | undefined> {
  const [name, states] = await Promise.all([
    bus.tryCall<string>(ref, GET, `${ATSPI}.Accessible`, 'Name'),
    bus.tryCall<readonly number[]>(ref, STATES),
  ])
  return states && { role, name: truncate(name ?? ''), description: '', states, patterns }
}

/** Limits names and descriptions to `MAX_NAME_CHARACTERS`. */
export const truncate = (name: string): string =>
  name.length > MAX_NAME_CHARACTERS ? name.slice(0, MAX_NAME_CHARACTERS) : name

const patternSets = new Map<string, ReadonlySet<string>>()

/** Shares equal sets, because thousands of objects have only a handful of combinations. */
export function patternsOf(interfaces: readonly string[]): ReadonlySet<string> {
  const key = interfaces.join()
  const known = patternSets.get(key)
  if (known) return known
  const patterns = new Set(interfaces.map((name) => name.slice(ATSPI.length + 1)))
  if (patternSets.size < 1000) patternSets.set(key, patterns)
  return patterns
}

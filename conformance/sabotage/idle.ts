import type { Protocol } from '../requirement.ts'

/**
 * Why a server that is right may offer nothing to break: by the beginnings of names, or by a pattern of them.
 * A sabotage that finds nothing to break and is not named here counts as unnoticed.
 */
const REASONS: Readonly<Partial<Record<Protocol, readonly (readonly [names: RegExp, why: string])[]>>> = {
  'agent-webkit': [
    [/^GET \/genui\/schema /, 'the endpoint is optional, and the server does not offer it'],
    [/^POST \/sessions 201: /, 'the document lets a server answer 200 or 201; this one answers 200'],
  ],
}

/** The stated reason, or undefined when there is none. */
export const whyIdle = (protocol: Protocol, name: string): string | undefined =>
  REASONS[protocol]?.find(([names]) => names.test(name))?.[1]

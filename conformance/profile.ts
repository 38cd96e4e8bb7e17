import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import * as z from 'zod'
import { fail } from './probe/failure.ts'
import { type CertifiedProtocol, PROTOCOLS } from './protocols.ts'
import { TIERS } from './requirement.ts'
import type { Baseline } from './suite/results.ts'
import type { Profile } from './suite/test-context.ts'

/** Facts about one server that checks need to reach its states: prompts, scenarios, known values. */
const ProfileSection = z.strictObject({
  /** The smallest claim the server makes. */
  tier: z.enum(TIERS).optional(),
  /** User messages, by the behavior that they trigger in the agent. */
  phrases: z.record(z.string(), z.string()).default({}),
  /** Other values by name: scenario paths, selectors, ids, credentials of the test server. */
  known: z.record(z.string(), z.unknown()).default({}),
  /**
   * Commands that start auxiliary servers with other settings, by purpose. `{port}` is replaced by a free port,
   * `{backlot}` by the program that runs the suite.
   */
  servers: z.record(z.string(), z.string()).default({}),
  /** Restarts the server under test after a loss; `{port}` is replaced by the port of its address. */
  start: z.string().min(1).optional(),
})

export type Section = z.infer<typeof ProfileSection>

const SECTIONS = Object.fromEntries(PROTOCOLS.map((protocol) => [protocol, ProfileSection.optional()])) as Record<
  CertifiedProtocol,
  z.ZodOptional<typeof ProfileSection>
>

const ProfileFile = z.strictObject({ name: z.string(), about: z.string().optional(), ...SECTIONS })

const EMPTY: Section = { phrases: {}, known: {}, servers: {} }

export function createProfile(name: string, written: z.input<typeof ProfileSection> = EMPTY): Profile {
  const section = ProfileSection.parse(written)
  return {
    name,
    tier: section.tier,
    servers: section.servers,
    start: section.start,
    has: (wanted) => wanted in section.phrases || wanted in section.known,
    phrase: (purpose) =>
      section.phrases[purpose] ?? fail(`prerequisite: the profile "${name}" has no phrase "${purpose}"`),
    known: (wanted, shape) => {
      if (!(wanted in section.known)) fail(`prerequisite: the profile "${name}" has no "${wanted}"`)
      const read = shape.safeParse(section.known[wanted])
      if (read.success) return read.data
      // A profile is the user's file, so its mistakes are not failures of the server.
      throw new Error(`the profile "${name}" is wrong about "${wanted}": ${z.prettifyError(read.error)}`)
    },
  }
}

const SHIPPED = new URL('./profiles/', import.meta.url)

/** The folder of the files that ship with the suite, `{suite}` in a profile. */
const SUITE = join(fileURLToPath(SHIPPED), '..')

const inPlace = (_: unknown, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('{suite}', () => SUITE) : value

/** Reads the section for `protocol`; a misspelt key is an error that names it. */
export function readProfile(text: string, protocol: CertifiedProtocol, path = 'the profile'): Profile {
  const read = ProfileFile.safeParse(parse(text, inPlace))
  if (!read.success) throw new Error(`${path} is not a profile:\n${z.prettifyError(read.error)}`)
  return createProfile(read.data.name, read.data[protocol])
}

/** The names of the profiles that ship with the suite, as `loadProfile` accepts them. */
export const shippedProfiles = (): readonly string[] =>
  readdirSync(SHIPPED).flatMap((file) => {
    const isProfile = file.endsWith('.yaml') && /^name: /m.test(readFileSync(new URL(file, SHIPPED), 'utf8'))
    return isProfile ? [file.slice(0, -'.yaml'.length)] : []
  })

/** Reads a profile from a file, or one that ships with the suite by its name. */
export function loadProfile(path: string, protocol: CertifiedProtocol): Profile {
  if (existsSync(path)) return readProfile(readFileSync(path, 'utf8'), protocol, path)
  const shipped = shippedProfiles()
  if (!shipped.includes(path))
    throw new Error(`profile ${path} does not exist; give a file or a profile of the suite: ${shipped.join(', ')}`)
  return readProfile(readFileSync(new URL(`${path}.yaml`, SHIPPED), 'utf8'), protocol, path)
}

const BaselineFile = z.strictObject({ expected_failures: z.record(z.string(), z.string().min(1)) })

/** Reads a YAML baseline: `expected_failures: { id: reason }`. */
export function readBaseline(text: string, path = 'the baseline'): Baseline {
  const read = BaselineFile.safeParse(parse(text))
  if (!read.success) throw new Error(`${path} is not a baseline:\n${z.prettifyError(read.error)}`)
  return read.data.expected_failures
}

import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import * as z from 'zod'
import { describeIssues } from '../base/external-values.ts'
import { suggest } from '../base/strings.ts'
import { ALL_TOOLS, findTool } from '../observer/registry.ts'
import { Settings } from '../observer/settings.ts'
import { observerProtocol } from '../protocols/observer-rest/index.ts'

/** The configuration file, which an operator writes once per machine (observer document, "config.json"). */
const ConfigFile = Settings.extend({
  web_ui: z
    .object({
      host: z.string().default('127.0.0.1'),
      port: z.int().min(0).max(65_535).default(observerProtocol.port),
      cors_origins: z.array(z.string()).default([]),
      allowed_hosts: z.array(z.string()).default([]).describe('Host names besides loopback ones'),
    })
    .prefault({}),
  mcp: z.object({ server_name: z.string().default('os-screen-observer'), version: z.string().optional() }).prefault({}),
  sessions: z
    .object({
      limit: z.int().min(0).default(10_000).describe('Desktops that may be open besides the first'),
      text_elements: z
        .int()
        .min(0)
        .default(100_000)
        .describe('Elements that scenarios sent as texts may hold, in all sessions together'),
      ttl_seconds: z.number().min(1).default(3600).describe('A desktop left alone for so long is closed'),
    })
    .prefault({}),
  roots: z
    .array(z.string())
    .default([])
    .describe('Folders that scenarios, traces and reference pictures may be read from'),
})
/** A configuration with a value for every key. */
export type Config = z.infer<typeof ConfigFile>

/** A configuration as written by an operator. Every key is optional. */
export type ConfigInput = z.input<typeof ConfigFile>

/** Fills in the defaults of a written configuration. `parse` throws an error that lists each wrong key and value. */
export const Config: { parse(given: unknown): Config } = ConfigFile

/** A configuration file after reading. */
export interface LoadedConfig {
  readonly config: Config
  /** The absolute path. */
  readonly path: string
  /** The parts of the file without effect. Null when there are none, or when the file does not exist and was not named. */
  readonly warning: string | null
}

const MISSING = 'file not found; using the defaults, which restrict nothing'

/** A configuration that cannot be applied. The server must not start without the intended restrictions. */
export class ConfigError extends Error {}

/**
 * Reads a configuration file. A missing file gives the defaults, with a warning if it was named.
 * @param path The file; without one `config.json` in the current folder, if it exists.
 * @throws `ConfigError` for a file that is not JSON or holds a value of the wrong type.
 * @example
 * const { config, warning } = loadConfig('config.json')
 */
export function loadConfig(path?: string): LoadedConfig {
  const absolute = resolve(path ?? 'config.json')
  if (!existsSync(absolute))
    return { config: Config.parse({}), path: absolute, warning: path === undefined ? null : MISSING }
  const given = readJson(absolute)
  const parsed = ConfigFile.safeParse(given)
  if (!parsed.success) throw new ConfigError(`${absolute} is not usable:\n${describeIssues(parsed.error)}`)
  const unknown = unknownKeys(ConfigFile, given)
  const { allow, deny } = parsed.data.actions
  const strange = [...allow, ...deny].filter((name) => !findTool(name))
  const warnings = [
    ...(unknown.length > 0 ? [`unknown keys have no effect: ${unknown.join(', ')}`] : []),
    ...(strange.length > 0 ? [`unknown tools in actions: ${strange.map(withMeant(TOOL_NAMES)).join(', ')}`] : []),
  ]
  return { config: parsed.data, path: absolute, warning: warnings.length === 0 ? null : warnings.join('; ') }
}

/** The unknown keys at any depth, with suggestions. Keys that begin with `_` are reserved for users. */
function unknownKeys(schema: z.core.$ZodType, value: unknown, path = ''): readonly string[] {
  if (schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault || schema instanceof z.ZodOptional)
    return unknownKeys(schema.unwrap(), value, path)
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.flatMap((item, at) => unknownKeys(schema.element, item, `${path}[${at}]`))
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return []
  const { shape } = schema
  return Object.entries(value).flatMap(([key, field]) => {
    const name = path === '' ? key : `${path}.${key}`
    if (key.startsWith('_')) return []
    if (Object.hasOwn(shape, key)) return unknownKeys(shape[key]!, field, name)
    return [withMeant(Object.keys(shape), name)(key)]
  })
}

const TOOL_NAMES = ALL_TOOLS.map(({ name }) => name)

/** Formats a name with a suggestion. */
const withMeant =
  (names: readonly string[], shown?: string) =>
  (given: string): string => {
    const [meant] = suggest(given, names)
    return meant === undefined ? (shown ?? given) : `${shown ?? given} (${meant}?)`
  }

function readJson(path: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch (error) {
    throw new ConfigError(`${path} is not JSON: ${(error as Error).message}`)
  }
  throw new ConfigError(`${path} must hold a JSON object`)
}

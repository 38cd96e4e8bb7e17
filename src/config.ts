import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import * as z from 'zod'
import { Settings } from './observer/settings.ts'

/** The agent-session protocols that can be served beside the observer. */
export const BACKENDS = ['agent-webkit', 'cortask', 'navi', 'windieos'] as const
export type BackendName = (typeof BACKENDS)[number]

/** The configuration file: what an operator sets once for a machine (observer document, "config.json"). */
export const Config = Settings.extend({
  web_ui: z
    .object({
      host: z.string().default('127.0.0.1'),
      port: z.int().min(0).max(65_535).default(5001),
      cors_origins: z.array(z.string()).default([]),
      allowed_hosts: z.array(z.string()).default([]).describe('Host names besides loopback ones'),
    })
    .prefault({}),
  mcp: z.object({ server_name: z.string().default('os-screen-observer'), version: z.string().optional() }).prefault({}),
  sessions: z
    .object({
      limit: z.int().min(0).default(10_000).describe('Desktops that may be open besides the first'),
      ttl_seconds: z.number().min(1).default(3600).describe('A desktop left alone for so long is closed'),
    })
    .prefault({}),
  roots: z
    .array(z.string())
    .default([])
    .describe('Folders that scenarios, traces and reference pictures may be read from'),
})
export type Config = z.infer<typeof Config>

export interface LoadedConfig {
  readonly config: Config
  /** Absolute. */
  readonly path: string
  /** What of the file had no effect; null when all of it had, or when there is no file. */
  readonly warning: string | null
}

/** A configuration that cannot be applied: gates that were meant to be there would silently not be. */
export class ConfigError extends Error {}

/** Reads the configuration file. A missing file gives the defaults; an unusable one throws `ConfigError`. */
export function loadConfig(path: string): LoadedConfig {
  const absolute = resolve(path)
  if (!existsSync(absolute)) return { config: Config.parse({}), path: absolute, warning: null }
  const written = readJson(absolute)
  const parsed = Config.safeParse(written)
  if (!parsed.success) throw new ConfigError(`${absolute} is not usable:\n${z.prettifyError(parsed.error)}`)
  const unknown = Object.keys(written).filter((key) => !key.startsWith('_') && !(key in Config.shape))
  const warning = unknown.length === 0 ? null : `unknown keys have no effect: ${unknown.join(', ')}`
  return { config: parsed.data, path: absolute, warning }
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

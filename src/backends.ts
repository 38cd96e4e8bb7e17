import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { builtinScript } from './agent/builtin.ts'
import { DEFAULT_CAST } from './agent/cast.ts'
import { desktopTools } from './agent/desktop-tools.ts'
import { type Agent, createAgent } from './agent/engine.ts'
import { type OpenAiOptions, openAiModel } from './agent/models/openai.ts'
import { cannedTools, scriptedModel } from './agent/models/scripted.ts'
import { readScript, type Script } from './agent/script.ts'
import { joinToolboxes } from './agent/toolbox.ts'
import { realClock } from './base/clock.ts'
import type { BackendName } from './config.ts'
import type { Session } from './observer/session.ts'
import { agentWebkit, authFrom } from './protocols/agent-webkit/index.ts'
import { cortask, cortaskFrom } from './protocols/cortask/index.ts'
import { navi } from './protocols/navi/index.ts'
import type { Protocol } from './protocols/protocol.ts'
import type { Scenario } from './scenario/scenario.ts'
import { diskFolder } from './stores/disk.ts'
import { sqliteStore } from './stores/sqlite.ts'
import type { Store } from './stores/store.ts'

/** The agent-session protocols, all over one agent that works on the served desktop. */

export interface BackendOptions {
  /** The desktop that a conversation works on; asked once for each. */
  readonly desktopFor: () => Session
  readonly scenario: Scenario
  /** Conversations and uploads are kept below it. */
  readonly dataFolder: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly report: (bug: unknown) => void
}

export interface Backends {
  readonly agent: Agent
  readonly store: Store
  open(name: BackendName): Protocol
  close(): void
}

export function openBackends(options: BackendOptions): Backends {
  const { desktopFor, scenario, environment, report } = options
  const dataFolder = resolve(options.dataFolder)
  mkdirSync(join(dataFolder, 'workspace'), { recursive: true })
  const store = sqliteStore(join(dataFolder, 'backlot.db'))
  const scripts = scriptsOf(scenario)
  const canned = cannedTools([...scripts.flatMap(({ tools }) => tools), ...DEFAULT_CAST.tools])
  const openai = openAiFrom(environment)
  const agent = createAgent({
    model: openai ? openAiModel(openai) : scriptedModel(...scripts),
    openToolbox: () => joinToolboxes(desktopTools(desktopFor()), canned),
    clock: realClock(),
    profiles: DEFAULT_CAST.profiles,
    onBug: report,
  })
  const protocols: Readonly<Record<BackendName, () => Protocol>> = {
    'agent-webkit': () => agentWebkit({ agent, auth: authFrom(environment), onBug: report }),
    cortask: () => {
      const { origin } = cortaskFrom(environment)
      const workspaces = [{ id: 'default', name: 'Backlot', rootPath: join(dataFolder, 'workspace') }]
      return cortask({ agent, store, workspaces, ...(origin !== undefined && { origin }), onBug: report })
    },
    navi: () =>
      navi({
        agent,
        store,
        dataFolder,
        tools: joinToolboxes(desktopTools(desktopFor()), canned).list(),
        client: diskFolder([join(dataFolder, 'client')]),
        onBug: report,
      }),
  }
  return {
    agent,
    store,
    open: (name) => protocols[name](),
    close: () => store.close(),
  }
}

/** The scenario's own lines come before the built-in ones, which trigger every flow of every protocol. */
const scriptsOf = (scenario: Scenario): readonly Script[] => [
  ...[scenario.agent ?? scenario.model].filter((written) => written !== undefined).map(readScript),
  builtinScript,
]

/** A real model, when `BACKLOT_MODEL` names one; its key and address come from `OPENAI_API_KEY` and `OPENAI_BASE_URL`. */
function openAiFrom(environment: BackendOptions['environment']): OpenAiOptions | undefined {
  const { BACKLOT_MODEL: model, OPENAI_API_KEY: key = '', OPENAI_BASE_URL: baseUrl } = environment
  return model ? { model, key, ...(baseUrl !== undefined && { baseUrl }) } : undefined
}

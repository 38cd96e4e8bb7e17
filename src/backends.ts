import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { stringify } from 'yaml'
import { builtinScript } from './agent/builtin.ts'
import { desktopTools } from './agent/desktop-tools.ts'
import { type Agent, createAgent } from './agent/engine.ts'
import type { Model } from './agent/models/model.ts'
import { OPENAI_URL, type OpenAiOptions, openAiModel } from './agent/models/openai.ts'
import { type Cassette, recordingModel } from './agent/models/record.ts'
import { cannedTools, scriptedModel } from './agent/models/scripted.ts'
import { type Profile, SCRIPTED } from './agent/profiles.ts'
import { DEFAULT_PROFILES, type Profiles, readProfiles, strayTools } from './agent/profiles-file.ts'
import { readScript, readYaml, type Script } from './agent/script.ts'
import { joinToolboxes } from './agent/toolbox.ts'
import type { Clock } from './base/clock.ts'
import { Fault } from './base/fault.ts'
import { BACKENDS, type BackendName } from './config.ts'
import type { Session } from './observer/session.ts'
import { espeakSpeaker } from './perception/espeak.ts'
import { ngramEmbedder } from './perception/ngrams.ts'
import { openEmbedder, openScribe, openTranscriber } from './perception/open.ts'
import type { Vision } from './perception/perception.ts'
import { createScenes, knownOr } from './perception/scenes.ts'
import { sceneSight } from './perception/sight.ts'
import { tesseractOcr } from './perception/tesseract.ts'
import { toneSpeaker } from './perception/tones.ts'
import { authFrom } from './protocols/agent-webkit/auth.ts'
import { agentWebkit } from './protocols/agent-webkit/index.ts'
import { cortask } from './protocols/cortask/index.ts'
import { navi } from './protocols/navi/index.ts'
import type { Protocol } from './protocols/protocol.ts'
import {
  type AuthMode,
  embeddingService,
  onlyModel,
  type Runtime,
  startRuntime,
  viewsNow,
  windieos,
} from './protocols/windieos/index.ts'
import type { Scenario } from './scenario/scenario.ts'
import { diskFolder } from './stores/disk.ts'
import { sqliteStore } from './stores/sqlite.ts'
import type { Store } from './stores/store.ts'

/** The agent-session protocols, all over one agent that works on the served desktop. */

/** What decides how the agent behaves; files are named by their paths. */
export interface AgentFiles {
  /** A script that is played before the scenario's own and the built-in one. */
  readonly script?: string | undefined
  /** Who can be talked to, and the tools they bring along. */
  readonly profiles?: string | undefined
  /** Everything the agent does is written there as a script. */
  readonly record?: string | undefined
}

export interface BackendOptions extends AgentFiles {
  /** The desktop that is served. */
  readonly served: Session
  /** The desktop that a conversation works on; asked once for each. */
  readonly desktopFor: () => Session
  readonly scenario: Scenario
  /** What conversations go by; people and programs wait for them, so it moves by itself. */
  readonly clock: Clock
  /** Conversations and uploads are kept below it. */
  readonly dataFolder: string
  /** Host names that callers may use besides loopback ones. */
  readonly hosts: readonly string[]
  /** Web origins that may call besides local ones. */
  readonly origins: readonly string[]
  /** `install`: WindieOS asks for the token of an installation. */
  readonly auth?: AuthMode | undefined
  /** Looks at pictures that were not painted here. */
  readonly vision?: Vision | undefined
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly report: (bug: unknown) => void
  /** Is told, a line each, what went wrong that is no bug: a client's or a file's mistakes, a provider that does not answer. */
  readonly note?: ((line: string) => void) | undefined
}

export interface Backends {
  readonly agent: Agent
  readonly store: Store
  open(name: BackendName): Protocol
  /** The embedding service behind WindieOS, which has a port of its own. */
  openEmbeddings(): Protocol
  /** Carries out the tool calls of the WindieOS server at `url` on the served desktop. */
  startRuntime(url: string): Promise<Runtime>
  close(): void
}

export function openBackends(options: BackendOptions): Backends {
  const { served, desktopFor, scenario, environment, report, hosts, origins } = options
  const openai = openAiFrom(environment)
  const callers = { hosts, ...(origins.length > 0 && { origins }) }
  const dataFolder = resolve(options.dataFolder)
  const { computer } = served
  const scenes = createScenes(async () => (computer.about.synthetic ? viewsNow(computer) : []))
  const store = sqliteStore(join(dataFolder, 'backlot.db'))
  mkdirSync(join(dataFolder, 'workspace'), { recursive: true })
  const cast = castFrom(options.profiles)
  const scripts = scriptsOf(scenario, options.script)
  const canned = cannedTools(
    openai ? profileTools(options, cast) : [...scripts.flatMap(({ tools }) => tools), ...cast.tools],
  )
  const desktopOf = (session: Session) => desktopTools(session, openai ? 'agent' : 'harness')
  const tools = joinToolboxes(desktopOf(served), canned).list()
  for (const stray of strayTools(cast.profiles, tools)) options.note?.(noteOf('profiles', stray))
  const model = openai ? openAiModel({ ...openai, clock: options.clock }) : scriptedModel(...scripts)
  const agent = createAgent({
    model: options.record === undefined ? model : recordInto(options.record, model, openai !== undefined),
    openToolbox: () => joinToolboxes(desktopOf(desktopFor()), canned),
    askBeforeActs: openai !== undefined,
    clock: options.clock,
    profiles: openai ? cast.profiles.map((profile) => answeredBy(openai, profile)) : cast.profiles,
    onBug: report,
  })
  const protocols: Readonly<Record<BackendName, () => Protocol>> = {
    'agent-webkit': () => agentWebkit({ ...callers, agent, store, auth: authFrom(environment), onBug: report }),
    cortask: () => {
      const { CORTASK_CORS_ORIGIN: origin } = environment
      const workspaces = [{ id: 'default', name: 'Backlot', rootPath: join(dataFolder, 'workspace') }]
      return cortask({ agent, store, workspaces, hosts, ...(origin && { origin }), onBug: report })
    },
    navi: () =>
      navi({
        ...callers,
        agent,
        store,
        dataFolder,
        tools,
        client: diskFolder([join(dataFolder, 'client')]),
        onBug: report,
      }),
    windieos: () =>
      windieos({
        ...callers,
        agent,
        store,
        dataFolder,
        perception: { ocr: knownOr(scenes, tesseractOcr()), sight: sceneSight(scenes, options.vision) },
        speaker: espeakSpeaker(toneSpeaker),
        embedder: openEmbedder(environment),
        scribe: openScribe(environment),
        transcriber: openTranscriber(
          environment,
          scripts.flatMap(({ hears }) => hears),
        ),
        backend: canned,
        ...(openai && { catalogue: onlyModel(openai.model) }),
        auth: options.auth ?? 'none',
        runKeys: { runs: environment.WINDIE_RUNS_API_KEY, control: environment.WINDIE_RUNS_CONTROL_API_KEY },
        activeRunsMost: Number(environment.WINDIE_VM_MAX_ACTIVE_RUNS_PER_WORKSPACE) || 1,
        journal: (code, message) => options.note?.(noteOf('windieos', `${code}: ${message}`)),
        onBug: report,
      }),
  }
  return {
    agent,
    store,
    open: (name) => {
      if (!Object.hasOwn(protocols, name))
        throw new Fault('BadRequest', `there is no protocol ${JSON.stringify(name)}; there is ${BACKENDS.join(', ')}`)
      return protocols[name]()
    },
    openEmbeddings: () =>
      embeddingService({
        embedder: ngramEmbedder,
        key: environment.WINDIE_EMBEDDING_SERVICE_API_KEY,
        nowMs: performance.now.bind(performance),
        onBug: report,
      }),
    startRuntime: (url) => startRuntime({ url, session: served, remember: scenes.remember, onBug: report }),
    close: () => store.close(),
  }
}

const MAX_NOTE_CHARACTERS = 300

/** One line whatever a client has written into it. */
function noteOf(protocol: string, text: string): string {
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
  return `${protocol}: ${line.length > MAX_NOTE_CHARACTERS ? `${line.slice(0, MAX_NOTE_CHARACTERS)}…` : line}`
}

/** A file's lines come first, then the scenario's own, then the built-in ones, which trigger every flow of every protocol. */
const scriptsOf = (scenario: Scenario, file: string | undefined): readonly Script[] => [
  ...(file === undefined ? [] : [readScript(readYaml(readText(file), file))]),
  ...[scenario.agent ?? scenario.model].filter((written) => written !== undefined).map(readScript),
  builtinScript,
]

/**
 * A real model, when `BACKLOT_MODEL` names one; its key and address come from `OPENAI_API_KEY` and `OPENAI_BASE_URL`. Throws
 * `BadRequest` for an address that is none, and when OpenAI itself is to be asked without a key.
 */
function openAiFrom(environment: BackendOptions['environment']): OpenAiOptions | undefined {
  const model = environment.BACKLOT_MODEL?.trim()
  if (!model) return undefined
  const key = environment.OPENAI_API_KEY?.trim()
  const baseUrl = environment.OPENAI_BASE_URL?.trim() || OPENAI_URL
  checkBaseUrl(baseUrl)
  if (!key && new URL(baseUrl).hostname === new URL(OPENAI_URL).hostname)
    throw new Fault(
      'BadRequest',
      'BACKLOT_MODEL needs OPENAI_API_KEY, or OPENAI_BASE_URL with the address of an endpoint that asks for no key',
    )
  if (key && !/^[\x21-\x7e]+$/.test(key))
    throw new Fault('BadRequest', 'OPENAI_API_KEY has characters that a key cannot have')
  const seconds = environment.BACKLOT_MODEL_TIMEOUT_S?.trim()
  if (seconds && !(Number(seconds) >= 1 && Number(seconds) <= MAX_SILENCE_S))
    throw new Fault(
      'BadRequest',
      `BACKLOT_MODEL_TIMEOUT_S must be a number of seconds from 1 to ${MAX_SILENCE_S}, not ${seconds}`,
    )
  const ms = Number(seconds) * 1000
  const patience = seconds && { connectMs: ms, firstMs: ms, betweenMs: ms }
  return { model, baseUrl, ...(key && { key }), ...(patience && { patience }) }
}

/** Node's `fetch` gives up on a silent endpoint after this many seconds, whatever its caller waits for. */
const MAX_SILENCE_S = 300

/** Throws `BadRequest` for an address to which no path and no key can be added. Credentials in it are not repeated. */
function checkBaseUrl(baseUrl: string): void {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  const complain = (problem: string) =>
    new Fault('BadRequest', `OPENAI_BASE_URL must be an address such as http://127.0.0.1:11434/v1, ${problem}`)
  if (url?.username || url?.password) throw complain('without a user and a password; the key goes into OPENAI_API_KEY')
  if (url?.search || url?.hash) throw complain('without anything after ? or #')
  if (url && /\/chat\/completions\/*$/.test(url.pathname)) throw complain('without /chat/completions at its end')
  if (!url || !/^https?:$/.test(url.protocol)) throw complain(`not ${baseUrl}`)
}

/** The tools that a profiles file brings along, for a model that is real; those built in are for scripts. */
const profileTools = ({ profiles }: BackendOptions, cast: Profiles): Profiles['tools'] =>
  profiles === undefined ? [] : cast.tools

/** A profile as clients are shown it: one that names no model of its own has the one that answers for it. */
const answeredBy = ({ model }: OpenAiOptions, profile: Profile): Profile => ({
  ...profile,
  ...(profile.llm_backend === SCRIPTED && { llm_backend: 'openai' }),
  ...(profile.model === SCRIPTED && { model }),
})

const castFrom = (file: string | undefined): Profiles =>
  file === undefined ? DEFAULT_PROFILES : readProfiles(readText(file))

/** A model whose steps are written to a file after every run. */
function recordInto(file: string, model: Model, asksBeforeActs: boolean): Model {
  const keep = (cassette: Cassette) => writeText(file, stringify(cassette, { lineWidth: 0 }))
  keep({ turns: [] })
  return recordingModel(model, keep, asksBeforeActs)
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Fault('BadRequest', `${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
}

function writeText(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new Fault('BadRequest', `${file} cannot be written: ${(error as NodeJS.ErrnoException).code}`)
  }
}

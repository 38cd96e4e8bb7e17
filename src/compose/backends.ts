import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { stringify } from 'yaml'
import { type Agent, createAgent } from '../agent/engine.ts'
import type { Model } from '../agent/models/model.ts'
import { endpointModel } from '../agent/models/model-client.ts'
import { type Profile, SCRIPTED } from '../agent/profiles.ts'
import { DEFAULT_PROFILES, findUnknownTools, type Profiles, parseProfiles } from '../agent/profiles-file.ts'
import { builtinScript } from '../agent/script/builtin-script.ts'
import { type ModelRecording, recordModel } from '../agent/script/model-recording.ts'
import { parseScript, parseYaml, type Script } from '../agent/script/script.ts'
import { cannedTools, scriptedModel } from '../agent/script/scripted-model.ts'
import { desktopTools, joinToolboxes, recordInTrace } from '../agent/toolbox.ts'
import type { Clock } from '../base/clock.ts'
import { Fault } from '../base/fault.ts'
import type { EnvironmentVariables } from '../base/host.ts'
import { currentViews } from '../observer/screen/screen-trees.ts'
import type { DesktopSession } from '../observer/session/session.ts'
import { ngramEmbedder } from '../perception/embedders.ts'
import { openEmbedder, openSummarizer, openTranscriber } from '../perception/open-perception.ts'
import type { Vision } from '../perception/perception.ts'
import { createSceneIndex, sceneOcrOr } from '../perception/scene-index.ts'
import { sceneLocator } from '../perception/scene-locator.ts'
import { espeakSynthesizer, toneSynthesizer } from '../perception/synthesizers.ts'
import { tesseractOcr } from '../perception/tesseract.ts'
import type { Address, AgentProtocol, ProtocolContext, ProtocolServer } from '../protocols/protocol.ts'
import { AGENT_PROTOCOLS, findAgentProtocol } from '../protocols/registry.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { diskFolder } from '../stores/disk.ts'
import { openStore } from '../stores/open-store.ts'
import type { Store } from '../stores/store.ts'
import { type ModelSettings, modelSettings } from './model-settings.ts'

/** Creates the agent-session protocols, which share one agent that works on the served desktop. */

/** Paths of the files that define the behaviour of the agent. */
export interface AgentFiles {
  /** A script that takes precedence over that of the scenario and the built-in one. */
  readonly script?: string | undefined
  /** A profiles file: the agents to talk to, and their tools. */
  readonly profiles?: string | undefined
  /** Records everything that the agent does as a script in this file. */
  readonly record?: string | undefined
}

export interface BackendOptions extends AgentFiles {
  /** The served desktop. */
  readonly served: DesktopSession
  /** Returns the desktop of a conversation. Called once per conversation. */
  readonly desktopFor: () => DesktopSession
  readonly scenario: Scenario
  /** The clock of conversations. It advances by itself, because people and programs wait for them. */
  readonly clock: Clock
  /** The folder of conversations and uploads. */
  readonly dataFolder: string
  /** Host names that callers may use besides loopback ones. */
  readonly hosts: readonly string[]
  /** Web origins that may call besides local ones. */
  readonly origins: readonly string[]
  /** `install`: clients need the token of an installation, in protocols that have installations. */
  readonly auth?: 'install' | 'none' | undefined
  /** Reads pictures that were not painted by this server. */
  readonly vision?: Vision | undefined
  readonly environment: EnvironmentVariables
  readonly report: (bug: unknown) => void
  /** Receives one line per problem that is not a bug: a mistake of a client or file, a provider that does not respond. */
  readonly note?: ((line: string) => void) | undefined
  /** Receives one line per service that runs with less than it could, such as history without a database. */
  readonly warn?: ((line: string) => void) | undefined
}

export interface Backends {
  readonly agent: Agent
  readonly store: Store
  /** Serves a protocol on the port of its document, or on the port of `at`. Throws `BadRequest` for an unknown protocol. */
  serve(name: string, at?: Address): Promise<ProtocolServer>
  /** Serves a service of a protocol on its own port. Throws `BadRequest` for an unknown service. */
  serveService(name: string, at?: Address): Promise<ProtocolServer>
  /** Connects a client that executes the tool calls of the server at `url` on the served desktop. */
  startRuntime(protocol: string, url: string): Promise<{ close(): Promise<void> }>
  close(): void
}

export async function openBackends(options: BackendOptions): Promise<Backends> {
  const { served, desktopFor, scenario, environment, report, hosts, origins } = options
  const settings = modelSettings(environment)
  const dataFolder = resolve(options.dataFolder)
  const { computer } = served
  const scenes = createSceneIndex(async () => (computer.info.synthetic ? currentViews(served) : []))
  const store = await openStore(join(dataFolder, 'backlot.db'), options.warn ?? (() => {}))
  mkdirSync(join(dataFolder, 'workspace'), { recursive: true })
  const fromFile = readAgentProfiles(options.profiles)
  const scripts = scriptsOf(scenario, options.script)
  const canned = cannedTools(
    settings ? profileTools(options, fromFile) : [...scripts.flatMap(({ tools }) => tools), ...fromFile.tools],
  )
  const desktopOf = (session: DesktopSession) => desktopTools(session, settings ? 'agent' : 'harness')
  const tools = joinToolboxes(desktopOf(served), canned).list()
  for (const stray of findUnknownTools(fromFile.profiles, tools)) options.note?.(noteOf('profiles', stray))
  const model = settings ? endpointModel({ ...settings, clock: options.clock }) : scriptedModel(...scripts)
  const agent = createAgent({
    model: options.record === undefined ? model : recordInto(options.record, model, settings !== undefined),
    openToolbox: () => joinToolboxes(desktopOf(desktopFor()), canned),
    askBeforeActs: settings !== undefined,
    clock: options.clock,
    profiles: settings ? fromFile.profiles.map((profile) => answeredBy(settings, profile)) : fromFile.profiles,
    onBug: report,
  })
  const contextOf = ({ name }: AgentProtocol): ProtocolContext => ({
    agent: { ...agent, open: (session) => agent.open({ protocol: name, ...session }) },
    store,
    dataFolder,
    openFolder: (path) => diskFolder([path]),
    hosts,
    origins: origins.length > 0 ? origins : undefined,
    auth: options.auth ?? 'none',
    environment,
    session: served,
    tools,
    // Clients execute the other calls on the served desktop, or anywhere.
    serverTools: { ...canned, record: recordInTrace(served) },
    modelName: settings?.model,
    openModels: () => ({
      perception: { ocr: sceneOcrOr(scenes, tesseractOcr()), locator: sceneLocator(scenes, options.vision) },
      speechSynthesizer: espeakSynthesizer(toneSynthesizer),
      embedder: openEmbedder(environment),
      summarizer: openSummarizer(environment),
      transcriber: openTranscriber(
        environment,
        scripts.flatMap(({ hears }) => hears),
      ),
    }),
    localEmbedder: ngramEmbedder,
    remember: scenes.remember,
    note: (line) => options.note?.(noteOf(name, line)),
    onBug: report,
  })
  return {
    agent,
    store,
    serve: async (name, at) => {
      const protocol = protocolNamed(name)
      return (await protocol.create(contextOf(protocol))).listen({ port: protocol.port, ...at })
    },
    serveService: async (name, at) => {
      for (const protocol of AGENT_PROTOCOLS)
        for (const service of protocol.services ?? [])
          if (service.name === name)
            return (await service.create(contextOf(protocol))).listen({ port: service.port, ...at })
      throw new Fault('BadRequest', `unknown service ${JSON.stringify(name)}`)
    },
    startRuntime: async (name, url) => {
      const protocol = protocolNamed(name)
      if (!protocol.runtime) throw new Fault('BadRequest', `${name} has no runtime`)
      return protocol.runtime.start(contextOf(protocol), url)
    },
    close: () => store.close(),
  }
}

/** Throws `BadRequest` with the known names. */
function protocolNamed(name: string): AgentProtocol {
  const protocol = findAgentProtocol(name)
  if (protocol) return protocol
  const names = AGENT_PROTOCOLS.map((one) => one.name).join(', ')
  throw new Fault('BadRequest', `unknown protocol ${JSON.stringify(name)}; known are ${names}`)
}

const MAX_NOTE_CHARACTERS = 300

/** Formats client text as one bounded line. */
function noteOf(protocol: string, text: string): string {
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
  return `${protocol}: ${line.length > MAX_NOTE_CHARACTERS ? `${line.slice(0, MAX_NOTE_CHARACTERS)}…` : line}`
}

/** The lines of the file precede those of the scenario and the built-in ones, which trigger every flow of every protocol. */
const scriptsOf = (scenario: Scenario, file: string | undefined): readonly Script[] => [
  ...(file === undefined ? [] : [parseScript(parseYaml(readText(file), file))]),
  ...[scenario.agent ?? scenario.model].filter((written) => written !== undefined).map(parseScript),
  builtinScript,
]

/** The tools of a profiles file, for a real model. Built-in tools are for scripts. */
const profileTools = (options: BackendOptions, { tools }: Profiles): Profiles['tools'] =>
  options.profiles === undefined ? [] : tools

/** A profile as clients see it. A profile without a model shows the model that answers for it. */
const answeredBy = ({ model, dialect }: ModelSettings, profile: Profile): Profile => ({
  ...profile,
  ...(profile.llm_backend === SCRIPTED && { llm_backend: dialect.name }),
  ...(profile.model === SCRIPTED && { model }),
})

const readAgentProfiles = (file: string | undefined): Profiles =>
  file === undefined ? DEFAULT_PROFILES : parseProfiles(readText(file))

/** Wraps a model so that its steps are written to a file after every run. */
function recordInto(file: string, model: Model, asksBeforeActs: boolean): Model {
  const keep = (cassette: ModelRecording) => writeText(file, stringify(cassette, { lineWidth: 0 }))
  keep({ turns: [] })
  return recordModel(model, keep, asksBeforeActs)
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

import { defineSuite, type ProtocolSuite } from '../suite/suite.ts'
import { windieosClient } from './client/index.ts'
import { windieosContract } from './contract.ts'
import { windieosItems } from './document.ts'
import { handshake } from './driver.ts'
import { artifactRules, imageRules } from './rules/artifacts.ts'
import { envelopeRules } from './rules/envelopes.ts'
import { handshakeRules, manifestRules } from './rules/handshake.ts'
import { authRules, installRules } from './rules/installs.ts'
import { introspectionRules } from './rules/introspection.ts'
import { embeddingRules, embedRules, limitRules, semanticRules } from './rules/memory.ts'
import { ocrRules, visionRules } from './rules/perception.ts'
import { queryRules } from './rules/queries.ts'
import { runsRules } from './rules/runs.ts'
import { rehydrateRules, settingsRules, wakewordRules } from './rules/settings.ts'
import { toolRules } from './rules/tools.ts'
import { transcriptionRules } from './rules/transcription.ts'
import { stopRules, turnRules } from './rules/turns.ts'

/** The suite for the WindieOS API reference for backends. */
export const suite: ProtocolSuite = defineSuite({
  protocol: 'windieos',
  document: 'WindieOS API reference',
  groups: {
    H: 'Endpoints',
    W: 'Sockets',
    K: 'The handshake',
    C: 'Messages of the client',
    S: 'Messages of the backend',
    T: 'Transcription',
    E: 'Error codes',
    L: 'Limits',
    X: 'Statuses and close codes',
    A: 'Open points',
  },
  items: windieosItems,
  contract: windieosContract,
  concurrency: 4,
  handshake,
  rules: [
    installRules,
    authRules,
    embeddingRules,
    limitRules,
    embedRules,
    semanticRules,
    artifactRules,
    imageRules,
    ocrRules,
    visionRules,
    introspectionRules,
    runsRules,
    handshakeRules,
    manifestRules,
    envelopeRules,
    queryRules,
    turnRules,
    toolRules,
    settingsRules,
    rehydrateRules,
    wakewordRules,
    stopRules,
    transcriptionRules,
  ],
  noEffect: [
    [/^event error: (drops|renames|retypes) message$/, 'an error of transcription comes from a provider that fails'],
    [/^POST \/api\/(artifacts|runs)\/ 201: /, 'the document lets a server answer 200 or 201; this server answers 200'],
  ],
})

/** The suites for its clients, by name. */
export const clients = { windieos: windieosClient }

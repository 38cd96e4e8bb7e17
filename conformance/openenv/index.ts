import { defineSuite, type ProtocolSuite } from '../suite/suite.ts'
import { openenvContract } from './contract.ts'
import { openenvItems } from './document.ts'
import { handshake } from './driver.ts'
import { episodeRules } from './rules/episode.ts'
import { errorRules } from './rules/errors.ts'
import { httpRules, infoRules, rpcRules } from './rules/info.ts'
import { taskRules } from './rules/tasks.ts'

/** The suite for environment servers of OpenEnv. */
export const suite: ProtocolSuite = defineSuite({
  protocol: 'openenv',
  document: 'OpenEnv 0.10, environment server and client',
  groups: {
    'OE-R': 'Routes',
    'OE-M': 'Frames of the client',
    'OE-F': 'Frames of the server',
    'OE-C': 'Codes of errors',
    'OE-B': 'Behaviour',
    'OE-T': 'Task API',
  },
  items: openenvItems,
  contract: openenvContract,
  concurrency: 8,
  handshake,
  rules: [infoRules, rpcRules, httpRules, episodeRules, errorRules, taskRules],
})

/** It has no suite for clients. */
export const clients = {}

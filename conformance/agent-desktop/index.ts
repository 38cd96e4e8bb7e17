import { defineSuite, type ProtocolSuite } from '../suite/suite.ts'
import { agentDesktopContract } from './contract.ts'
import { agentDesktopItems } from './document.ts'
import { handshake } from './driver.ts'
import { actionRules } from './rules/actions.ts'
import { commandRules } from './rules/commands.ts'
import { errorRules } from './rules/errors.ts'
import { processRules } from './rules/process.ts'
import { snapshotRules } from './rules/snapshots.ts'

/** The suite for command lines with the contract of agent-desktop. */
export const suite: ProtocolSuite = defineSuite({
  protocol: 'agent-desktop',
  document: 'agent-desktop 1.0, command line with envelopes 2.3 to 2.6',
  groups: {
    'AD-P': 'Process',
    'AD-E': 'Errors',
    'AD-S': 'Snapshots',
    'AD-R': 'Refs',
    'AD-A': 'Actions',
    'AD-X': 'Other commands',
  },
  items: agentDesktopItems,
  contract: agentDesktopContract,
  isCommandLine: true,
  concurrency: 1,
  handshake,
  rules: [processRules, errorRules, snapshotRules, actionRules, commandRules],
})

/** It has no suite for clients. */
export const clients = {}

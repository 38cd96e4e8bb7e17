import { defineSuite, type ProtocolSuite } from '../suite/suite.ts'
import { observerClient } from './client/index.ts'
import { observerContract } from './contract.ts'
import { observerItems } from './document.ts'
import { handshake, prepare } from './driver.ts'
import { mcpClient } from './mcp-client/index.ts'
import { generatedMcpSabotages } from './mcp-sabotage.ts'
import { actionRules } from './rules/actions.ts'
import { budgetRules } from './rules/budgets.ts'
import { confirmRules } from './rules/confirmation.ts'
import { descriptionRules, ocrRules, sketchRules, textRules } from './rules/descriptions.ts'
import { elementRules } from './rules/elements.ts'
import { errorRules } from './rules/errors.ts'
import { findRules } from './rules/find.ts'
import { filesRules, guardRules, limitsRules } from './rules/guard.ts'
import { mcpRules } from './rules/mcp.ts'
import { mcpHttpRules } from './rules/mcp-http.ts'
import { mcpStatelessRules, mcpStatelessStdioRules } from './rules/mcp-stateless.ts'
import { compositeRules, observeRules } from './rules/observation.ts'
import { oracleRules } from './rules/oracles.ts'
import { receiptRules } from './rules/receipts.ts'
import { allowlistRules, auditRules, redactionRules } from './rules/redaction.ts'
import { scenarioRules } from './rules/scenarios.ts'
import { screenshotRules } from './rules/screenshots.ts'
import { selectorRules } from './rules/selectors.ts'
import {
  capabilitiesRules,
  healthRules,
  inspectorRules,
  metricsRules,
  monitorsRules,
  toolsRules,
} from './rules/server.ts'
import { snapshotRules } from './rules/snapshots.ts'
import { structureRules } from './rules/structure.ts'
import { replayRules, traceRules } from './rules/traces.ts'
import { waitRules } from './rules/waiting.ts'
import { visibleRules, windowsRules } from './rules/windows.ts'

/** The suite for the OS Screen Observer for servers: REST versions 1 and 2, and MCP. */
export const suite: ProtocolSuite = defineSuite({
  protocol: 'observer',
  document: 'OS Screen Observer, API for LLM tool use, version 2',
  groups: {
    'O-E': 'Endpoints',
    'O-X': 'Error codes',
    'O-C': 'Conditions to wait for',
    'O-P': 'Predicates',
    'O-S': 'Selectors',
    'O-F': 'Filters of trees',
    'O-G': 'Gates',
    'O-R': 'Rules',
    'O-M': 'MCP',
  },
  items: observerItems,
  contract: observerContract,
  concurrency: 1,
  handshake,
  prepare,
  rules: [
    windowsRules,
    structureRules,
    descriptionRules,
    sketchRules,
    screenshotRules,
    visibleRules,
    ocrRules,
    textRules,
    healthRules,
    metricsRules,
    inspectorRules,
    capabilitiesRules,
    monitorsRules,
    toolsRules,
    errorRules,
    guardRules,
    findRules,
    selectorRules,
    actionRules,
    receiptRules,
    elementRules,
    observeRules,
    compositeRules,
    waitRules,
    snapshotRules,
    traceRules,
    replayRules,
    scenarioRules,
    oracleRules,
    budgetRules,
    redactionRules,
    allowlistRules,
    auditRules,
    confirmRules,
    limitsRules,
    filesRules,
    mcpRules,
    mcpHttpRules,
    mcpStatelessRules,
    mcpStatelessStdioRules,
  ],
  moreGenerated: generatedMcpSabotages,
  noEffect: [
    [/^fails every predicate that it cannot evaluate$/, 'this server evaluates every predicate'],
    [
      /^POST \/api\/(element\/(clear_text|double_click|focus|key|right_click|select|set_value)|drag|hover|key_and_observe|type_and_observe) 200: .* new_dialogs\./,
      'an action without a dialog lists none; the list of a click is changed instead',
    ],
  ],
})

/** The suites for clients of the REST API and of its MCP side. */
export const clients = { observer: observerClient, mcp: mcpClient }

import { defineSuite, type ProtocolSuite } from '../suite/suite.ts'
import { osworldContract } from './contract.ts'
import { osworldItems } from './document.ts'
import { handshake } from './driver.ts'
import { actionRules } from './rules/actions.ts'
import { desktopRules, directoryRules, downloadRules, fileRules, wallpaperRules } from './rules/files.ts'
import { inputRules } from './rules/input.ts'
import { programRules } from './rules/programs.ts'
import { pointerRules, screenRules } from './rules/screen.ts'
import { runRules, verifyRules } from './rules/scripts.ts'
import { companyRules, errorRules, extensionRules, platformRules, readyRules, terminalRules } from './rules/server.ts'
import { treeRules } from './rules/tree.ts'
import { launchRules, openRules, recordingRules, windowRules } from './rules/windows.ts'

/** The suite for the control server in OSWorld's machines, and of what its client sends. */
export const suite: ProtocolSuite = defineSuite({
  protocol: 'osworld',
  document: 'OSWorld, control server and client (desktop_env), 2025',
  groups: {
    'OW-R': 'Routes',
    'OW-X': 'Statuses',
    'OW-T': 'Accessibility tree',
    'OW-P': 'Programs',
    'OW-F': 'Functions of pyautogui',
    'OW-A': 'Actions of computer_13',
    'OW-C': 'Behaviour of the client',
    'OW-B': 'Extensions',
  },
  items: osworldItems,
  contract: osworldContract,
  concurrency: 1,
  handshake,
  rules: [
    readyRules,
    platformRules,
    screenRules,
    pointerRules,
    terminalRules,
    companyRules,
    errorRules,
    extensionRules,
    treeRules,
    programRules,
    runRules,
    verifyRules,
    inputRules,
    actionRules,
    fileRules,
    directoryRules,
    desktopRules,
    wallpaperRules,
    downloadRules,
    windowRules,
    openRules,
    launchRules,
    recordingRules,
  ],
  noEffect: [[/^POST \/setup\/download_file 200: /, 'this server opens no connections, so that it answers no 200']],
})

/** It has no suite for clients. */
export const clients = {}

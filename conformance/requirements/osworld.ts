import { osworldItems } from '../osworld/document.ts'
import type { RequirementSet } from '../requirement.ts'
import { actionRequirements } from './osworld/actions.ts'
import { fileRequirements } from './osworld/files.ts'
import { inputRequirements } from './osworld/input.ts'
import { programRequirements } from './osworld/programs.ts'
import { screenRequirements } from './osworld/screen.ts'
import { treeRequirements } from './osworld/tree.ts'
import { windowRequirements } from './osworld/windows.ts'

/** The requirements of the control server in OSWorld's machines, and of what its client sends. */
export const osworld = {
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
  requirements: {
    ...screenRequirements,
    ...treeRequirements,
    ...programRequirements,
    ...inputRequirements,
    ...actionRequirements,
    ...fileRequirements,
    ...windowRequirements,
  },
} as const satisfies RequirementSet

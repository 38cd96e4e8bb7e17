import type { RequirementSet } from '../requirement.ts'
import { httpRequirements } from './windieos/http.ts'
import { windieosItems } from './windieos/items.ts'
import { socketRequirements } from './windieos/socket.ts'

/** What the WindieOS API reference asks of a backend. */
export const windieos = {
  protocol: 'windieos',
  document: 'WindieOS API reference',
  items: windieosItems,
  requirements: { ...httpRequirements, ...socketRequirements },
} as const satisfies RequirementSet

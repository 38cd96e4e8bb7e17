import type { FaultCode } from '../../base/fault.ts'
import { HTTP_STATUS } from '../http/status.ts'

/** The HTTP status of each code (observer document, "Codes"). Codes of other protocols cannot come up here. */
export const status: Readonly<Record<FaultCode, number>> = { ...HTTP_STATUS, PatternUnsupported: 501 }

/** The first version's routes know two statuses only (observer document, "HTTP status codes"). */
export const legacyStatus = (code: FaultCode): number => (code === 'Internal' || code === 'StorageFailed' ? 500 : 400)

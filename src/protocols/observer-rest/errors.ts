import type { FaultCode } from '../../base/fault.ts'
import { HTTP_STATUS } from '../http/status.ts'

/** The HTTP status of each code (observer document, "Codes"). Codes of other protocols do not occur. */
export const status: Readonly<Record<FaultCode, number>> = { ...HTTP_STATUS, PatternUnsupported: 501 }

/** Version 1 routes use only two error statuses (observer document, "HTTP status codes"). */
export const legacyStatus = (code: FaultCode): number => (code === 'Internal' || code === 'StorageFailed' ? 500 : 400)

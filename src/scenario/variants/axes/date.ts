import { Fault } from '../../../base/fault.ts'
import { parseDate } from '../../expression/dates.ts'
import { type VariantAxis, withWritten } from '../axis.ts'

/** The time at which the clock of the scenario starts. A composed file gets it before its expressions are evaluated. */
export const startDate: VariantAxis = {
  name: 'date',
  about: 'The date and time at which the clock starts: `start_time`, and all expressions with `now` or `start_time`.',
  values: 'a date or a time in UTC, such as 2026-12-31 or 2026-12-31T23:58:00Z',
  problem: (value) => {
    try {
      parseDate(value)
      return undefined
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      return `expected ${startDate.values}`
    }
  },
  obstacle: () => undefined,
  samples: () => ['2024-02-29T08:05:00Z', '2026-12-31T23:58:00Z', '2027-07-04T14:30:00Z'],
  apply: (subject, value) => withWritten(subject, { ...subject.written, start_time: value }),
}

import * as z from 'zod'
import { FAULTS, Fault, type FaultCode } from '../../../base/fault.ts'
import { chances, defineFault } from '../fault-kind.ts'

export const errorCode = defineFault({
  id: 'error-code',
  describe: 'A call of an agent returns an error instead of a result, and does nothing.',
  params: {
    ...chances({ probability: 0.2, times: 3 }),
    code: z
      .enum(Object.keys(FAULTS) as [FaultCode, ...FaultCode[]])
      .describe('The code of the error')
      .meta({ examples: ['Timeout'] })
      .default('Timeout'),
  },
  hook: { on: 'call', outcome: ({ code }) => ({ fault: new Fault(code) }) },
})

import { onSuccess } from '../sabotage/behaviors.ts'
import { naviContract } from './contract.ts'

/** Changes the JSON of the successes of one operation. */
export const onSuccessOf = onSuccess(naviContract)

import { onSuccess } from '../sabotage/behaviors.ts'
import { naviContract } from './contract.ts'

export const onSuccessOf = onSuccess(naviContract)

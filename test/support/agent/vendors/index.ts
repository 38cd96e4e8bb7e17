import { anthropicVendor } from './anthropic.ts'
import { geminiVendor } from './gemini.ts'
import { openAiVendor } from './openai.ts'
import type { Vendor } from './vendor.ts'

/** An endpoint of each dialect. */
export const VENDORS: readonly Vendor[] = [openAiVendor, anthropicVendor, geminiVendor]

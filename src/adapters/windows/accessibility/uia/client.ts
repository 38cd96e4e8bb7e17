/** An element of UI Automation, as an object of COM. */
export type UiaElement = bigint

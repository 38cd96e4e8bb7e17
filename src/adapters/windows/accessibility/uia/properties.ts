/** The properties that are read of each element, with their numbers. */
export const UIA_PROPERTIES = {
  runtimeId: { id: 30000 },
  bounds: { id: 30001 },
  controlType: { id: 30003 },
  name: { id: 30005 },
  acceleratorKey: { id: 30006 },
  accessKey: { id: 30007 },
  hasFocus: { id: 30008 },
  isEnabled: { id: 30010 },
  automationId: { id: 30011 },
  className: { id: 30012 },
  helpText: { id: 30013 },
  isPassword: { id: 30019 },
  isOffscreen: { id: 30022 },
  hasExpandCollapse: { id: 30028 },
  hasRangeValue: { id: 30033 },
  hasSelectionItem: { id: 30036 },
  hasToggle: { id: 30041 },
  hasValue: { id: 30043 },
  value: { id: 30045 },
  isReadOnly: { id: 30046 },
  rangeValue: { id: 30047 },
  rangeMin: { id: 30049 },
  rangeMax: { id: 30050 },
  expandState: { id: 30070 },
  isSelected: { id: 30079 },
  toggleState: { id: 30086 },
} as const

export type UiaProperty = keyof typeof UIA_PROPERTIES

/** The values of the properties that an element has. */
export interface UiaProperties {
  readonly runtimeId?: readonly number[]
  /** Left, top, width and height. */
  readonly bounds?: readonly number[]
  readonly controlType?: number
  readonly name?: string
  readonly acceleratorKey?: string
  readonly accessKey?: string
  readonly hasFocus?: boolean
  readonly isEnabled?: boolean
  readonly automationId?: string
  readonly className?: string
  readonly helpText?: string
  readonly isPassword?: boolean
  readonly isOffscreen?: boolean
  readonly hasExpandCollapse?: boolean
  readonly hasRangeValue?: boolean
  readonly hasSelectionItem?: boolean
  readonly hasToggle?: boolean
  readonly hasValue?: boolean
  readonly value?: string
  readonly isReadOnly?: boolean
  readonly rangeValue?: number
  readonly rangeMin?: number
  readonly rangeMax?: number
  readonly expandState?: number
  readonly isSelected?: boolean
  readonly toggleState?: number
}

/** Toolkits lose clicks that are shorter, or closer together, than those of a person. */
export const HOLD_MS = 8

/** The minimum time between two presses. */
export const GAP_MS = 20

/** Within this time and distance a second click counts as a double click. */
export const DOUBLE_CLICK_MS = 420

/** The distance of a double click; see `DOUBLE_CLICK_MS`. */
export const DOUBLE_CLICK_PX = 8

/** The minimum number of pointer movements of a drag. */
export const MIN_DRAG_STEPS = 12

/** The maximum time for a program to process typed text. A program that takes longer counts as hanging. */
export const MAX_TYPING_PING_MS = 1500

/** The number of key strokes that are sent before the focus is checked again. */
export const MAX_STROKES_AT_ONCE = 24

/** The maximum time to wait for the user to release modifier keys. */
export const MAX_HELD_KEYS_MS = 500

/** The maximum time for the focus to return to its window. */
export const MAX_FOCUS_RETURN_MS = 400

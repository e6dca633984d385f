// Package turns asks the scheduler for short turns of the processor, so that a
// process with little to do need not wait for those with much. Start with
// [AskForShort].
package turns

import { argumentsOf, type Tool } from '../tool-catalogue.ts'

/** Chat API version 2: the function form with a JSON Schema under `parameters`. */
export const cohereTool = (tool: Tool) => ({
  type: 'function',
  function: { name: tool.name, description: tool.description, parameters: argumentsOf(tool) }
})

import { argumentsOf, type Tool } from '../tool-catalogue.ts'

/** Returns a tool for Cohere's Chat API version 2: a function with a JSON Schema under `parameters`. */
export const cohereTool = (tool: Tool) => ({
  type: 'function',
  function: { name: tool.name, description: tool.description, parameters: argumentsOf(tool) }
})

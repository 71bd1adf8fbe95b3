import { GameDirectory, type Game } from './game-directory.ts'

export const openSearch = (games: readonly Game[]) => ({
  services: {
    /** Games by their names. */
    games: new GameDirectory(games)
  }
})

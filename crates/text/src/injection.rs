//! Finds text that is written to an agent and not about the world.

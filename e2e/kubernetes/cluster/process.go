// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// process is a program of the cluster that runs.
type process struct {
	name    string
	command *exec.Cmd
	log     *os.File
	ended   chan struct{} // closed when it has
}

// Repository is the folder of the repository that these tests are part of.
func Repository() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..", "..")
}

// Program is the path of a program, such as kubectl, and the arguments that come before its
// own: of KUBEBUILDER_ASSETS where that folder has it, else of bin.
func (c *Cluster) Program(name string) (path string, args []string, err error) {
	if assets := os.Getenv("KUBEBUILDER_ASSETS"); assets != "" && c.Version == Default {
		if path := filepath.Join(assets, name); exists(path) {
			return path, nil, nil
		}
	}
	if path := filepath.Join(Repository(), "bin", name); exists(path) {
		return path, nil, nil
	}
	path = filepath.Join(Repository(), "bin", "kubernetes-"+c.Version)
	if !exists(path) {
		return "", nil, fmt.Errorf("bin/%s is missing: run make control-planes", filepath.Base(path))
	}
	return path, []string{name}, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// run starts a program, which ends with the cluster, or with this process.
func (c *Cluster) run(ctx context.Context, name string, args ...string) error {
	path, first, err := c.Program(name)
	if err != nil {
		return err
	}
	log, err := os.Create(c.path(name + ".log"))
	if err != nil {
		return err
	}
	p := &process{name: name, command: exec.CommandContext(ctx, path, append(first, args...)...), log: log, ended: make(chan struct{})}
	p.command.Stdout, p.command.Stderr = log, log
	p.command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := p.command.Start(); err != nil {
		return errors.Join(err, log.Close())
	}
	go func() {
		_ = p.command.Wait() // how it ended is in its log
		close(p.ended)
	}()
	c.processes = append(c.processes, p)
	return nil
}

// stop ends a program at once: nothing that it holds is needed again.
func (p *process) stop() error {
	if err := p.command.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	<-p.ended
	return p.log.Close()
}

// dead is the end of the log of a program that has ended by itself; nil when all run.
func (c *Cluster) dead() error {
	for _, p := range c.processes {
		select {
		case <-p.ended:
			text, _ := os.ReadFile(p.log.Name())
			lines := strings.Split(strings.TrimSpace(string(text)), "\n")
			return fmt.Errorf("%s ended:\n%s", p.name, strings.Join(lines[max(0, len(lines)-20):], "\n"))
		default:
		}
	}
	return nil
}

// wait asks again and again until done reports true. The error is that of ctx, of the
// programs, or the last that done returned.
func (c *Cluster) wait(ctx context.Context, what string, done func(context.Context) (bool, error)) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for {
		ok, err := done(ctx)
		if ok && err == nil {
			return nil
		}
		if dead := c.dead(); dead != nil {
			return dead
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("waiting for %s: %w", what, errors.Join(ctx.Err(), err))
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// freePort is a port of loopback that nobody listened on a moment ago.
func freePort() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	_, port, err := net.SplitHostPort(listener.Addr().String())
	return port, errors.Join(err, listener.Close())
}
